"""Texts as REST takes them: a number is not a text, and the schema says what is refused."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from rest_framework import serializers

from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

SOMETHING = RegexValidator(
    r"^[^\x00]*[^\x00\s][^\x00]*$", gettext_lazy("Expected more than spaces.")
)


class Text(serializers.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not self.allow_blank:
            self.validators.append(SOMETHING)

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_expect_text(self, data))


# What a line of text may not hold: control characters and marks of no meaning.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
LINE = RegexValidator(
    rf"^[^{_CONTROL}]*$", gettext_lazy("Expected one line without control characters.")
)
NAME = RegexValidator(
    rf"^[^{_CONTROL}]*[^{_CONTROL}\s][^{_CONTROL}]*$",
    gettext_lazy("Expected one line with more than spaces and without control characters."),
)


class Line(Text):
    """A name: one line, and something in it unless it may be empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        kept = [item for item in self.validators if item is not SOMETHING]
        self.validators = [*kept, LINE if self.allow_blank else NAME]


class CheckOnly(serializers.BooleanField):
    """Of an import: check the files, and write nothing."""

    def __init__(self, **kwargs: Any) -> None:
        given = {"required": False, "default": False}
        super().__init__(
            **given | {"help_text": _("Check the files without writing anything.")} | kwargs
        )


class CheckedSerializer(serializers.Serializer[Any]):
    checked = serializers.IntegerField(
        help_text=gettext_lazy(
            "The number of units, labelled systems, scores or assignments in the files."
        )
    )


class Slug(serializers.SlugField):
    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_expect_text(self, data))


def _expect_text(field: serializers.CharField, data: Any) -> str:
    """The framework would write a number as a text; who sends one has mixed up the fields."""
    if not isinstance(data, str):
        field.fail("invalid")
    return data


FIELD_OF = {
    **serializers.ModelSerializer.serializer_field_mapping,
    models.CharField: Text,
    models.TextField: Text,
    models.SlugField: Slug,
}
