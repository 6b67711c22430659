"""Judges that are NLI models: any sequence classifier of Hugging Face, by name or folder.

Premise is the summary, hypothesis the unit (Zhang & Bansal 2021, §3.1).
"""

from scoring.backends.nli.judge import NliJudge, load

__all__ = ["NliJudge", "load"]
