"""Checkpoints: a checkpoint was pickled under Python 2."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects


@inspects("texts_of_python_2")
def text_of_python_2(checkpoint: Checkpoint) -> Hits:
    yield checkpoint.hit(say("texts-of-python-2"))
