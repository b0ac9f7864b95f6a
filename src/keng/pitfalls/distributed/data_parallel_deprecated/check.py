"""Source code: several cards are driven by one process."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def one_process_for_all_cards(code: Code) -> Hits:
    for call in code.trained_in("torch.nn.DataParallel", "torch.nn.parallel.DataParallel"):
        says = "one process drives all cards here: DistributedDataParallel has one for each"
        yield code.hit(call, says)
