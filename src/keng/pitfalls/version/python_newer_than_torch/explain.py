"""Error messages: python or setuptools no longer has what an older PyTorch, or a library over it, asks for."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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


@explains("version-not-imported")
def version_not_imported(failure: Failure) -> Hits:
    yield failure.hit(
        'PyTorch up to 1.10 counts on an older setuptools: pip install "setuptools<59.6", or a newer PyTorch'
    )


@explains("private-name-gone")
def private_name_gone(failure: Failure) -> Hits:
    yield failure.hit(
        'this PyTorch, under Windows, takes a private name of distutils that newer setuptools lack: pip install "setuptools<59.6", or a newer PyTorch'
    )


@explains("packaging-moved")
def packaging_moved(failure: Failure) -> Hits:
    yield failure.hit(
        'torch.utils.cpp_extension up to 2.1 takes packaging from setuptools: pip install "setuptools<70", or a newer PyTorch'
    )


@explains("gone-from-python")
def gone_from_python(failure: Failure) -> Hits:
    if any("site-packages/torch/" in frame.path for frame in failure.frames[-3:]):
        name = failure.groups["name"]
        yield failure.hit(
            f"this PyTorch asks for `{name}`, which this Python or setuptools has no longer (distutils and imp: 3.12): a newer PyTorch, or "
            'pip install "setuptools<70"'
        )


@explains("gone-from-a-module")
def gone_from_a_module(failure: Failure) -> Hits:
    module, name = failure.groups["module"], failure.groups["name"]
    if asker := OVER_TORCH.search(failure.raised_in):
        yield failure.hit(
            f"this {asker[1]} asks for `{module}.{name}`, which Python has no longer since {SINCE[module]}: a newer {asker[1]}, or an older Python"
        )


@explains("enum-by-its-name")
def enum_by_its_name(failure: Failure) -> Hits:
    yield failure.hit(
        "Lightning up to 1.5 does not know how Python 3.11 formats an enum: Python 3.10 or older, or pip install 'pytorch-lightning>=1.6' and what it renamed"
    )


@explains("default-that-may-change")
def default_that_may_change(failure: Failure) -> Hits:
    library = failure.groups["library"]
    if OVER_TORCH.search(f"-packages/{library}/") or failure.mentions_torch:
        yield failure.hit(
            f"{library} is older than Python 3.11, whose dataclasses take no object as a default: Python 3.10, or a newer {library}; in code of one's own field(default_factory=...)"
        )
