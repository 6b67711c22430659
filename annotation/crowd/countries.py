"""Countries and their parts by the codes of ISO 3166, as qualification requirements name them."""

from __future__ import annotations

from functools import cache

import pycountry


@cache
def list_countries() -> list[tuple[str, str]]:
    """Code and name, by name."""
    named = ((row.alpha_2, getattr(row, "common_name", row.name)) for row in pycountry.countries)
    return sorted(named, key=lambda row: row[1])


@cache
def country_codes() -> frozenset[str]:
    return frozenset(code for code, _ in list_countries())


def name_country(code: str) -> str:
    """The name; a code that the list lacks stands for itself."""
    return dict(list_countries()).get(code, code)


def has_subdivision(country: str, code: str) -> bool:
    """Whether a state or province with this code, such as CA of US, is in the list."""
    return pycountry.subdivisions.get(code=f"{country}-{code}") is not None
