"""Source code: a data set reads its whole file again for each item."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def whole_file_for_one(code: Code) -> Hits:
    for call, file in code.whole_files_for_items():
        text = code.text_of(file)
        yield code.hit(call, f"the whole of `{text}` is read again for each item")
