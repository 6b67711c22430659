"""Pages of at most 200, with the total and links to the neighbours."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from annotation.errors import Invalid


class Pagination(PageNumberPagination):
    page_size_query_param = "page_size"
    max_page_size = 200
    last_page_strings = ()

    def get_page_number(self, request: Request, paginator: Any) -> int | str:
        """An empty number is a wrong number, not the first one."""
        return request.query_params.get("page", 1)

    def get_page_size(self, request: Request) -> int | None:
        """A size that isn't a number is refused; one that is too large becomes the largest."""
        asked = request.query_params.get("page_size")
        if asked is not None and not (asked.isascii() and asked.isdigit() and int(asked) > 0):
            raise Invalid(_("page_size: expected a whole number from 1."))
        return super().get_page_size(request)
