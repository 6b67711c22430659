"""Bodies that are taken to the letter: a name that is not known is an error, not ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

CENTS = r"(\.[0-9]{1,2})?"
ANY_AMOUNT = rf"^[0-9]{{1,8}}{CENTS}$"
UP_TO_100 = rf"^([0-9]{{1,2}}{CENTS}|100(\.00?)?)$"
CENT_TO_1000 = rf"^(?!0+(\.0+)?$)([0-9]{{1,3}}{CENTS}|1000(\.00?)?)$"


class Strict(serializers.Serializer[Any]):
    # A misspelt setting must not leave the default in force, least of all where money is meant.
    # (Not a docstring: the description would show it with every kind of body.)
    least_fields = 0

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self._refuse_unknown(data)
        return super().to_internal_value(data)

    def _refuse_unknown(self, data: Mapping[str, Any]) -> None:
        unknown = sorted(str(name) for name in data if name not in self.fields)
        if unknown:
            known = ", ".join(self.fields)
            raise serializers.ValidationError(
                {unknown[0]: _("Unknown field. Known: {known}.").format(known=known)}
            )
        if len(data) < self.least_fields:
            said = [_("Give one of {fields}.").format(fields=", ".join(self.fields))]
            raise serializers.ValidationError({"non_field_errors": said})


class StrictDescription(OpenApiSerializerExtension):
    """The description says the same."""

    target_class = Strict
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        made = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        least = self.target.least_fields
        said = {"additionalProperties": False} | ({"minProperties": least} if least else {})
        return {**made, **said}


class Written(serializers.CharField):
    """A text of a certain form: a number that would read like it is not one."""

    def __init__(self, pattern: str, expected: str, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.validators.append(
            RegexValidator(pattern, _("Expected {expected}.").format(expected=expected))
        )

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Dollars(Written):
    """Dollars as a string in whole cents, because floats are inexact."""

    def __init__(self, amounts: str = ANY_AMOUNT, **options: Any) -> None:
        super().__init__(
            amounts,
            _('dollars as a string such as "0.15", {words}').format(words=WORDS[amounts]),
            **options,
        )


WORDS = {
    ANY_AMOUNT: gettext_lazy("in whole cents"),
    UP_TO_100: gettext_lazy("in whole cents, at most 100"),
    CENT_TO_1000: gettext_lazy("in whole cents, from 0.01 to 1000"),
}
