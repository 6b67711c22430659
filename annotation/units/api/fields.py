"""Numbers, flags and names as REST takes them: a text that reads like one is not one."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework import serializers

# What a key of a table can be; a number beyond can't name anything.
LARGEST = 2**63 - 1


class Whole(serializers.IntegerField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        is_whole = type(data) is int or (type(data) is float and data.is_integer())
        if not is_whole:
            self.fail("invalid")
        return super().to_internal_value(int(data))


class Seconds(serializers.FloatField):
    def to_internal_value(self, data: Any) -> float:
        if type(data) not in (int, float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class OpName(serializers.UUIDField):
    """In its usual writing alone, so that one action has one name."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not isinstance(data, str) or len(data) != 36:
            self.fail("invalid", value=data)
        return super().to_internal_value(data)
