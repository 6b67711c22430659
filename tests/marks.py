"""Texts in Python that people read and that lack a mark for translation: `python -m tests.marks`.

A mark is `_("…")`, or another function of MARKS, around the whole text. Texts that nobody reads
are recognised by where they are; LEFT_OUT lists the files whose texts are not translated.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch

from tests.texts import GAP, PLACE, ROOT, Text, is_prose, list_files

PLACES = ("annotation", "deploy", "scoring")
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "counted"}

BEFORE = "runs before Django starts, or without it"
SQL = "the database's language"
PROTOCOL = "MTurk's protocol, whose words scripts compare"
STORED = "part of a signed dataset, or a name at a provider: the same in every language"
CONTENT = "content in the language of the texts that it is about"
COMMANDS = "the library's own commands, which run without the product"
LANGUAGE = "rules and words of the English language"
FORMAT = "a file format's words"
LEFT_OUT = {
    "deploy/[!bm]*.py": BEFORE,
    "deploy/memory.py": BEFORE,
    "annotation/append_only.py": SQL,
    "annotation/change_marks.py": SQL,
    "annotation/sessions.py": SQL,
    "annotation/statements.py": SQL,
    "annotation/triggers.py": SQL,
    "annotation/corpora/bulk.py": SQL,
    "annotation/crowd/market/rows.py": SQL,
    "deploy/backup/tables.py": SQL,
    "annotation/crowd/market/operations/*": PROTOCOL,
    "annotation/crowd/market/errors.py": PROTOCOL,
    "annotation/crowd/market/validation.py": PROTOCOL,
    "annotation/crowd/market/protocol.py": PROTOCOL,
    "annotation/crowd/market/qualifying.py": PROTOCOL,
    "annotation/crowd/market/shapes.py": PROTOCOL,
    "annotation/crowd/providers/prolific_study.py": STORED,
    "annotation/evaluation/gold/queries.py": STORED,
    "annotation/evaluation/gold/records.py": STORED,
    "annotation/crowd/campaigns/presets.py:WORKED_EXAMPLES": CONTENT,
    "annotation/crowd/campaigns/presets.py:INSTRUCTIONS": CONTENT,
    "annotation/crowd/campaigns/presets.py:PLAIN": CONTENT,
    "annotation/crowd/judging_page/question.py": CONTENT,
    "annotation/corpora/corpus/demo.py": CONTENT,
    "annotation/evaluation/overview/demo.py": CONTENT,
    "scoring/cli/*": COMMANDS,
    "scoring/coverage/*": COMMANDS,
    "scoring/finetune/progress.py": COMMANDS,
    "scoring/abbreviations.py": LANGUAGE,
    "scoring/clauses.py": LANGUAGE,
    "scoring/facts.py": LANGUAGE,
    "scoring/stemming.py": LANGUAGE,
    "scoring/backends/reader/*": LANGUAGE,
    "scoring/judge/cues.py": LANGUAGE,
    "scoring/judge/probes.py": LANGUAGE,
    "scoring/judge/lexical.py": LANGUAGE,
    "scoring/judge/soft.py": LANGUAGE,
    "scoring/judge/uniqueness.py": LANGUAGE,
    "scoring/metrics/autosummeng.py": LANGUAGE,
    "scoring/stu/coreference.py": LANGUAGE,
    "scoring/stu/people.py": LANGUAGE,
    "scoring/stu/rich/*": LANGUAGE,
    "scoring/backends/nli/labels.py:ABSENT": LANGUAGE,
    "scoring/backends/nli/pairs.py:PROBE": LANGUAGE,
    "scoring/linting.py:_COMMON": LANGUAGE,
    "scoring/metrics/perturbations.py:_PHRASES": LANGUAGE,
    "scoring/overlap.py:_LISTED": LANGUAGE,
    "scoring/metrics/qa_overlap.py:PROMPT": LANGUAGE,
    "scoring/finetune/baselines.py": COMMANDS,
    "scoring/io/judgements/batch_results.py:ABOUT": PROTOCOL,
    "scoring/io/judgements/cells.py:ANSWERS": PROTOCOL,
    "scoring/figures/pdf.py": FORMAT,
    "scoring/figures/svg.py": FORMAT,
    "scoring/figures/truetype.py": FORMAT,
    "scoring/metaeval/report/latex.py": FORMAT,
    "scoring/io/gold/*": STORED,
}
# Files in which a single word is a constant of MTurk rather than a text.
CONSTANTS = (
    *(
        "annotation/crowd/market/*",
        "annotation/crowd/providers/*",
        "annotation/crowd/market/answers.py",
    ),
    *("annotation/crowd/campaigns/presets.py", "annotation/crowd/campaigns/checks.py"),
    *(
        "annotation/crowd/campaigns/qualification_tests.py",
        "annotation/crowd/market/models_work.py",
    ),
)
NAMES = {"Giza", "Bearer", "Wawa", "SacreROUGE JSONL", "no room"}
# Kinds of intervals, by which their measured coverage is looked up.
NAMES |= {"correlation of close pairs", "gain of a curve, 100 documents"}
# Calls whose texts are for engineers, for a database or for a program.
UNREAD_CALLS = {
    *("TypeError", "ValueError", "RuntimeError", "AssertionError", "LookupError", "OSError"),
    *("NotImplementedError", "IntegrityError", "OperationalError", "ModelInWebProcess"),
    *(
        "UnsafeHeader",
        "SMTPServerDisconnected",
        "AttributeError",
        "TypeVar",
        "inline_serializer",
        "Q",
        "Index",
    ),
    *("execute", "executemany", "exclude", "filter", "StreamingHttpResponse"),
    *("find", "startswith", "endswith", "removesuffix", "removeprefix", "split", "replace", "all"),
    *("compile", "word_set", "pseudonym", "say_departures"),
}
UNREAD_KEYWORDS = {"component_name", "prog", "status", "content_type", "program"}
LOGGERS = {"logger", "log"}
# Programs, queries and media types rather than sentences.
CODE = re.compile(
    r"\s*<[a-zA-Z?!/]|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|FOR UPDATE|PRAGMA|COPY)\b"
    r"|[a-z]+/[a-z]+; |curl |import |(?:… )?allow-|default-src|[a-z]+, no-|noindex|sandbox |Token "
    r"…|Giza: |value="
)
WORD = re.compile(r"[^\W\d_]{2}")


class Source:
    """A file's syntax tree, in which each node knows its parent."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.tree = ast.parse(text)
        self.parents = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self.has_constants = any(fnmatch(path, pattern) for pattern in CONSTANTS)

    def climb(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """The node with its parent, then that with its own, up to the module."""
        while node in self.parents:
            yield node, self.parents[node]
            node = self.parents[node]

    def list_unmarked(self) -> Iterator[tuple[ast.expr, str]]:
        """What people read and no mark surrounds: the node and its words."""
        for node in ast.walk(self.tree):
            words = _read_words(node)
            words = PLACE.sub(GAP, words)
            if not WORD.search(words.replace(GAP, " ")) or not is_prose(words):
                continue
            is_part = isinstance(self.parents[node], ast.JoinedStr | ast.Expr)
            if isinstance(node, ast.expr) and not is_part and self.is_read(node, words):
                yield node, words

    def is_late(self, node: ast.AST) -> bool:
        return any(
            isinstance(above, ast.Lambda)
            or (isinstance(above, ast.FunctionDef) and any(below is row for row in above.body))
            for below, above in self.climb(node)
        )

    def is_read(self, node: ast.AST, words: str) -> bool:
        if words in NAMES or CODE.match(words) or words == words.upper():
            return False
        if " " not in words and self.has_constants and not self._is_label(node):
            return False
        return not any(self._hides(below, above) for below, above in self.climb(node))

    def _is_label(self, node: ast.AST) -> bool:
        """The last of a tuple in a class of choices, or the label of a field."""
        above = self.parents[node]
        if isinstance(above, ast.keyword):
            return above.arg in ("label", "title", "phase")
        is_last = isinstance(above, ast.Tuple) and above.elts[-1] is node
        return is_last and isinstance(self.parents[self.parents[above]], ast.ClassDef)

    def _hides(self, node: ast.AST, above: ast.AST) -> bool:
        """Whether nobody reads what is here, or it has its mark."""
        match above:
            case ast.Call(func=func) if node is not func:
                name = _name(func)
                is_log = isinstance(func, ast.Attribute) and _name(func.value) in LOGGERS
                is_key = name in ("get", "pop", "setdefault") and node is above.args[0]
                return name in MARKS or name in UNREAD_CALLS or is_log or is_key
            case ast.keyword(arg=arg):
                return arg in UNREAD_KEYWORDS
            case ast.Dict(keys=keys):
                return any(node is key for key in keys)
            case ast.Subscript(slice=index):
                return node is index
            case ast.AnnAssign(annotation=hint) if node is hint:
                return True
            case ast.arg(annotation=hint):
                return node is hint
            case ast.FunctionDef(returns=hint):
                return node is hint
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                return name == "__all__" or f"{self.path}:{name}" in LEFT_OUT
            case ast.Compare() | ast.Assert() | ast.MatchValue():
                return isinstance(node, ast.Constant | ast.JoinedStr | ast.Set | ast.Tuple)
        return False


def _name(node: ast.expr) -> str:
    """What is called: the last part of a dotted name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _read_words(node: ast.AST) -> str:
    match node:
        case ast.JoinedStr(values=values):
            parts = [part.value if isinstance(part, ast.Constant) else GAP for part in values]
            return " ".join("".join(map(str, parts)).split())
        case ast.Constant(value=str(words)):
            return " ".join(words.split())
    return ""


def list_unmarked(places: tuple[str, ...] = PLACES) -> Iterator[Text]:
    for file in list_files(places):
        path = file.relative_to(ROOT).as_posix()
        if file.suffix == ".py" and not any(fnmatch(path, pattern) for pattern in LEFT_OUT):
            for node, words in Source(file.read_text(encoding="utf-8"), path).list_unmarked():
                yield Text(path, node.lineno, "text", words)


def main(argv: list[str]) -> int:
    found = list(list_unmarked(tuple(argv) or PLACES))
    print(*(f"{text.path}:{text.line}: {text.words[:120]}" for text in found), sep="\n")
    print(f"{len(found)} texts without a mark")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
