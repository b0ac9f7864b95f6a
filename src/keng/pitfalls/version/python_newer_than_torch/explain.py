"""Error messages: python or setuptools no longer has what an older PyTorch, or a library over it, asks for."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OVER_TORCH = re.compile(
    r"-packages/(torch\w*|fairseq|pytorch_lightning|timm|transformers|nemo|espnet2?|TTS|detectron2|mm\w{2,10}|dgl|flair|allennlp|kornia)/"
)


SINCE = {
    "collections": "3.10",
    "fractions": "3.9",
    "inspect": "3.11",
    "asyncio": "3.11",
    "time": "3.8",
}
"""The Python that took a name out of a module of its own."""


@explains("gone-from-python")
def gone_from_python(failure: Failure) -> Hits:
    if any("site-packages/torch/" in frame.path for frame in failure.frames[-3:]):
        name = failure.groups["name"]
        yield failure.hit(say("pytorch-asks-python-or", name=name))


@explains("gone-from-a-module")
def gone_from_a_module(failure: Failure) -> Hits:
    module, name = failure.groups["module"], failure.groups["name"]
    if asker := OVER_TORCH.search(failure.raised_in):
        yield failure.hit(
            say("asks-python-has-no", since=asker[1], module=module, name=name, SINCE=SINCE[module])
        )


@explains("default-that-may-change")
def default_that_may_change(failure: Failure) -> Hits:
    library = failure.groups["library"]
    if OVER_TORCH.search(f"-packages/{library}/") or failure.mentions_torch:
        yield failure.hit(say("older-than-python-whose", library=library))
