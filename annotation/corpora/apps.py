from django.apps import AppConfig


class CorporaConfig(AppConfig):
    name = "annotation.corpora"
    label = "corpora"
    verbose_name = "Corpora"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make jobs, and what can be searched for, known to those who ask; watch the door."""
        from annotation.corpora import sign_in  # noqa: F401
        from annotation.corpora.selectors import search_corpus  # noqa: F401
        from annotation.corpora.services import imports  # noqa: F401
