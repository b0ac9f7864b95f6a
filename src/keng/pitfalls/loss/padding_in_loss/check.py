"""Source code: the loss counts labels that only fill up a batch."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def padding_counted(code: Code) -> Hits:
    for call, made, collate, value in code.padded_labels():
        says = f"`{collate}` fills labels up with {value}, and the loss counts these: `ignore_index={value}`"
        yield code.hit(
            call, says, code.add_argument(made, f"ignore_index={value}", "Leave padding out")
        )
