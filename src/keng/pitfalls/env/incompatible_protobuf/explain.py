"""Error messages: tensorBoard, ONNX or a tokenizer was made for another protobuf."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

GENERATED = re.compile(r"[\\/](?:site|dist)-packages[\\/](?!google\b|torch\b)(\w+)[\\/]")


@explains("made-for-another")
def made_for_another(failure: Failure) -> Hits:
    if failure.mentions_torch:
        owners = [found[1] for frame in failure.frames if (found := GENERATED.search(frame.path))]
        name = owners[-1] if owners else "tensorboard"
        says = say("was-generated-older-protobuf", name=name)
        if "builder" in failure.message:
            says = say("was-generated-newer-protobuf", name=name)
        yield failure.hit(says)
