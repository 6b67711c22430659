from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext, ngettext

from annotation.translation import gettext_lazy
from scoring.translation import install


class CorporaConfig(AppConfig):
    name = "annotation.corpora"
    label = "corpora"
    verbose_name = gettext_lazy("Corpora")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make known jobs and what can be searched for; watch who signs in; protect the books.

        The science's texts are translated as ours are.
        """
        from annotation.append_only import install_after_migrate
        from annotation.change_marks import drop_before_migrate
        from annotation.corpora.accounts import sign_in  # noqa: F401
        from annotation.corpora.jobs import service as lanes  # noqa: F401
        from annotation.corpora.search import queries as search_corpus  # noqa: F401

        install(gettext, ngettext)
        pre_migrate.connect(drop_before_migrate, sender=self)
        post_migrate.connect(install_after_migrate, sender=self)
