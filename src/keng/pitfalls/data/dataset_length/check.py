"""Source code: a dataset's length is not that of its data."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def cut_past_the_end(code: Code) -> Hits:
    for cut, length, wanted in code.loaders.items_past_the_end():
        says = f"for the last indices `{code.text_of(cut)}` would run past the end"
        fix = (
            Fix(say("count-what-whole"), (code.edits.replace(length, wanted),)) if wanted else None
        )
        cure = (
            f": the length is `{wanted}`" if wanted else f": `{code.text_of(length)}` counts them"
        )
        yield code.hit(length, says + cure, fix)
