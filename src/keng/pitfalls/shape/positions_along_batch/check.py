"""Source code: positions are counted along the batch, and not along the sequence."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def counted_along_the_batch(code: Code) -> Hits:
    for cut, size in code.positions_along_batch():
        text, length = code.text_of(size), code.text_of(size).replace("0", "1")
        says = f"`{text}` is the batch here, as batch_first=True: one position a sample; `{length}`"
        edits = (code.replace(size, length), code.append(cut, ".transpose(0, 1)"))
        yield code.hit(cut, says, Fix("Count along the sequence", edits))
