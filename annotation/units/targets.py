"""The kinds of things in this app that acts are done to."""

from __future__ import annotations

from django.urls import reverse

from annotation.corpora.targets import add_kind, at_id
from annotation.translation import gettext_lazy
from annotation.units.double.models import DoubleAnnotation
from annotation.units.sets.models import UnitSet
from annotation.units.studio.models import Comment
from annotation.units.stus.models import EasinessModel


def link_comment(slug: str, pk: int) -> str:
    """The studio, where the comment's example is."""
    found = Comment.objects.filter(pk=pk).values_list("set_id", "example_id").first()
    return (
        reverse("units:studio", args=[slug, *found])
        if found
        else reverse("units:sets", args=[slug])
    )


add_kind("unit_set", gettext_lazy("Unit set"), UnitSet, at_id("units:set"), param="set")
add_kind(
    "regressor",
    gettext_lazy("Regressor"),
    EasinessModel,
    at_id("units:easiness_model"),
    param="model",
)
add_kind("double", gettext_lazy("Double annotation"), DoubleAnnotation, at_id("units:double"))
add_kind("comment", gettext_lazy("Comment"), Comment, link_comment)
