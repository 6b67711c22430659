"""How often 95 % intervals hold the truth, and tests reject a true null: by simulation."""

from scoring.coverage.kinds import KINDS
from scoring.coverage.simulate import Kind, Row, simulate_studies

__all__ = ["KINDS", "Kind", "Row", "simulate_studies"]
