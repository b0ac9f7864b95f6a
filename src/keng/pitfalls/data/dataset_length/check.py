"""Source code: a dataset's length is not that of its data."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def cut_past_the_end(code: Code) -> Hits:
    for cut, length, wanted in code.loaders.items_past_the_end():
        text = code.text_of(cut)
        if wanted:
            says = say("cut-past-the-end", cut=text, wanted=wanted)
            fix = Fix(say("count-whole"), (code.edits.replace(length, wanted),))
        else:
            says, fix = say("length-past-the-end", cut=text, length=code.text_of(length)), None
        yield code.hit(length, says, fix)
