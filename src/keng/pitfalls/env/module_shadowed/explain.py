"""Error messages: a file or folder is imported in place of the module of the same name."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env.module_shadowed._shared import OURS, PYTHONS
from keng.rules import explains

OF_DATASETS = (
    "load_dataset|load_from_disk|load_metric|Dataset(?:Dict)?|IterableDataset|concatenate_datasets|interleave_datasets|"
    "Features|Value|ClassLabel|Audio|Image|Sequence|DownloadConfig|config"
)

OF_EVALUATE = "load|combine|evaluator"


@explains("a-file-of-that-name")
def a_file_of_that_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if _is_broken_off(failure, name):
        yield failure.hit(say("import-broke-off", name=name))
    elif name not in PYTHONS or failure.mentions_torch:
        yield failure.hit(say("own-file-imported", name=name))


@explains("another-crf")
def another_crf(failure: Failure) -> Hits:
    if "CRF(" in (failure.line or failure.surrounding) or "CRF.__" in failure.message:
        yield failure.hit(say("another-crf"))


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
        yield failure.hit(say("own-file-imported", name=name))


@explains("nothing-in-it")
def nothing_in_it(failure: Failure) -> Hits:
    module, what = failure.groups["module"], failure.groups["what"]
    own = {"datasets": OF_DATASETS, "evaluate": OF_EVALUATE}.get(module, what)
    if re.fullmatch(own, what):
        name = module.partition(".")[0]
        yield failure.hit(say("found-folder-without-code", name=module, name_2=name))


def _is_broken_off(failure: Failure, name: str) -> bool:
    """Whether a package is imported that is not whole, and its own file asks for what is missing."""
    return f"-packages/{name}/" in failure.raised_in and ".py" not in failure.message
