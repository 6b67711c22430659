"""A gold version as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _

from annotation.corpora.activity.service import record_export
from annotation.errors import DomainError, NotFound
from annotation.evaluation.gold.models import GoldVersion
from annotation.headers import attach_as
from scoring.io.gold import GOLD_FORMATS, GoldFormat, read_gold, why_not, write_gold

FORMATS = GOLD_FORMATS


def get_format(value: str) -> GoldFormat:
    if value not in FORMATS:
        raise NotFound(
            _("There is no format '{value}'.").format(value=value),
            _("Use one of {formats}.").format(formats=", ".join(FORMATS)),
        )
    return FORMATS[value]


def gold_response(gold: GoldVersion, value: str) -> StreamingHttpResponse:
    """The version in one format; what does not fit into it is said before it begins."""
    chosen = get_format(value)
    if not gold.is_ready:
        raise DomainError(
            _("{gold} is not ready.").format(gold=gold),
            _("Wait until its job has finished."),
            fix=gold,
        )
    if reason := why_not_format(gold, value):
        raise DomainError(
            _("{gold} can't be exported as {chosen}: {reason}").format(
                gold=gold, chosen=chosen.label, reason=reason
            ),
            _("Choose another format."),
        )
    record_export(project=gold.project, what=str(gold), format=value, target=gold)
    response = StreamingHttpResponse(stream_gold(gold, value), content_type=chosen.media_type)
    attach_as(response, file_name(gold, chosen))
    return response


def stream_gold(gold: GoldVersion, value: str) -> Iterator[bytes]:
    """Read from the version's own file, example by example."""
    with read_gold(gold.path) as reader:
        yield from write_gold(value, reader.facts, reader.systems, reader.examples())


def why_not_format(gold: GoldVersion, value: str) -> str | None:
    with read_gold(gold.path) as reader:
        return why_not(value, reader.systems, reader.examples())


def file_name(gold: GoldVersion, chosen: GoldFormat) -> str:
    """The name alone tells an archive from line files, and JSONL from SacreROUGE's."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", gold.name).strip("-.") or "gold"
    return f"{plain}-v{gold.version}-{chosen.value}.{chosen.suffix}"
