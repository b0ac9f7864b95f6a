"""Checkpoints: a checkpoint was pickled under Python 2."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits
from keng.rules import inspects


@inspects("texts_of_python_2")
def text_of_python_2(checkpoint: Checkpoint) -> Hits:
    says = "the file holds texts that Python 2 wrote without an encoding"
    yield checkpoint.hit(f'{says}: pickle.load and torch.load need encoding="latin1"')
