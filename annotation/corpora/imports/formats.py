"""The import formats as they are explained to people; the reading is in `scoring.io`."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.translation import gettext_lazy


@dataclass(frozen=True, slots=True)
class ImportFormat:
    value: str
    label: str
    explanation: str
    sample: str


IMPORT_FORMATS = [
    ImportFormat(
        "folder",
        gettext_lazy("Line files"),
        gettext_lazy(
            "The layout of REALSumm and PyrXSum: line i of every file is example i. References may "
            "mark their sentences with <t> … </t>. SCUs.txt, STUs.txt and labels/ are kept for "
            "later."
        ),
        gettext_lazy(
            "ids.txt\ndocuments.txt\nreferences.txt\nsummaries/<system>.summary\n"
            "systems.csv            system,type   (optional)"
        ),
    ),
    ImportFormat(
        "jsonl",
        "JSONL",
        gettext_lazy(
            "One JSON object per line: an example with all its texts, or a system with its kind."
        ),
        '{"type": "system", "name": "lead-3", "kind": "extractive"}\n'
        '{"type": "example", "id": "a1", "documents": ["…"],\n'
        ' "references": ["…", {"name": "B", "text": "…"}], "summaries": {"lead-3": "…"}}',
    ),
    ImportFormat(
        "csv",
        "CSV",
        gettext_lazy(
            "One text per row, in any order. Parts are document, reference, summary and system."
        ),
        gettext_lazy(
            "example_id,part,name,text\na1,document,,…\na1,reference,A,…\na1,summary,lead-3,…\n"
            ",system,lead-3,extractive"
        ),
    ),
    ImportFormat(
        "wide",
        gettext_lazy("Table with one example per row (CSV, TSV, Excel)"),
        gettext_lazy(
            "One column per text. The content of each column is guessed from its name; you can "
            "correct it before anything is imported."
        ),
        gettext_lazy(
            "id    document    reference    lead-3    bart\na1    …           …            …      "
            "   …"
        ),
    ),
    ImportFormat(
        "sacrerouge",
        "SacreROUGE JSONL",
        gettext_lazy(
            "One summary per line with its documents and references, as SacreROUGE writes them."
        ),
        '{"instance_id": "a1", "summarizer_id": "lead-3", "summarizer_type": "peer",\n'
        ' "summary": {"text": "…"}, "documents": [{"text": "…"}],\n'
        ' "references": [{"summarizer_id": "A", "text": ["…", "…"]}]}',
    ),
]

# What pages call a format that REST and commands know by its value.
FORMAT_NAMES = {format.value: format.label for format in IMPORT_FORMATS}

# What a column of a wide table holds, as pages call it.
COLUMN_ROLES = {
    "id": gettext_lazy("Example ID"),
    "document": gettext_lazy("Document"),
    "reference": gettext_lazy("Reference"),
    "summary": gettext_lazy("Summaries of this system"),
    "ignore": gettext_lazy("Not imported"),
}
