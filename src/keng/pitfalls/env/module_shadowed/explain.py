"""Error messages: a file of one's own has the name of a module."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env.module_shadowed._shared import OURS, PYTHONS
from keng.rules import explains

OWN = "a file `{0}.py` of your own is imported in place of {0}: rename it"

CRF = (
    "`batch_first` is of pytorch-crf, and this CRF is another, as that of the package TorchCRF: "
    "pip install pytorch-crf, from torchcrf import CRF"
)


@explains("a-file-of-that-name")
def a_file_of_that_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if broke := _broken_off(failure, name):
        yield failure.hit(broke)
    elif name not in PYTHONS or failure.mentions_torch:
        yield failure.hit(OWN.format(name))


@explains("another-crf")
def another_crf(failure: Failure) -> Hits:
    if "CRF(" in (failure.line or failure.surrounding) or "CRF.__" in failure.message:
        yield failure.hit(CRF)


@explains("a-folder-of-that-name")
def a_folder_of_that_name(failure: Failure) -> Hits:
    says = say("no-pytorch-each-has")
    yield failure.hit(says)


@explains("met-by-an-import-of-another")
def met_by_an_import_of_another(failure: Failure) -> Hits:
    """An installed file imports a module, and a file of the user's answers to its name; under Python 2 a
    file does so that has the name itself."""
    own = {frame.posix.rpartition("/")[2] for frame in failure.frames if frame.user}
    asks = [
        (f, found[1])
        for f in failure.frames
        if (found := re.match(r"(?:from|import) (\w+)", f.text))
    ]
    old = failure.message.startswith("No module")
    asked = [name for f, name in asks if (name in OURS if old else not f.user)]
    asked += ["tensorboard"] if failure.message.startswith("TensorBoard") else []
    for name in [name for name in asked if f"{name}.py" in own][:1]:
        yield failure.hit(OWN.format(name))


def _broken_off(failure: Failure, name: str) -> str:
    """Where a package is imported that is not whole, and its own file asks for what is missing."""
    if f"-packages/{name}/" not in failure.raised_in or ".py" in failure.message:
        return ""
    says = f"an import of {name} broke off before, or its files are of two versions"
    return f"{says}: restart the notebook's kernel and read the first error, else install it anew"
