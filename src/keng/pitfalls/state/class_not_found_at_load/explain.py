"""Error messages: a pickled model is loaded where its class is not."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables import libraries, torch_history

FINDS = "super().find_class(mod_name, name)"
"""The line of torch/serialization.py that imports what a file names."""


LOADING = re.compile(
    r"\btorch\.load\b|\bload\w* (?:[\w'-]{1,20} ){0,4}(?:[\w-]{0,40}\.(?:pth?|ckpt|tar|pkl)\b|checkpoint|pretrained)",
    re.IGNORECASE,
)


OF_A_PROJECT = re.compile(
    r"(?:models?|nets?|networks?|modules?|utils?|losse?s?|src|lib|core|common|backbones?|archs?|engines?|layers?|trainers?|datasets?|configs?|ultralytics)(?:\.[\w.]+)?$"
)
"""What folders and files of a repository are called, and hardly any package."""


LIBRARY = re.compile(
    r"(?:torch(?:vision|audio|text|_geometric)?|transformers|timm|fastai|monai|dgl|ultralytics)(?=\.(?!hub|classes))"
)
"""Libraries whose classes are there in some versions."""


@explains("no-such-class")
def no_such_class(failure: Failure) -> Hits:
    name, module = failure.groups["name"], failure.groups["module"]
    if failure.frames and not _loads(failure):
        return  # pickle says the same to any program
    if library := LIBRARY.match(module):
        came = torch_history.of_name("torch.nn" if module.startswith("torch.nn.") else module, name)
        values = {"name": name, "module": module, "library": library[0]}
        if came and came.came:
            yield failure.hit(say("file-needs-version", version=came.came, **values))
        else:
            yield failure.hit(say("file-holds-whole-objects", **values))
    elif module in ("__main__", "__mp_main__"):
        yield failure.hit(say("class-not-in-program", name=name))
    else:
        yield failure.hit(say("file-names-class-does", name=name, module=module))


@explains("no-such-module")
def no_such_module(failure: Failure) -> Hits:
    module, around = failure.groups["module"], f"{failure.message}\n{failure.surrounding}"
    told = "torch.load(" in failure.line or FINDS in around
    told = told or (LIBRARY.match(module) is not None and "pickle.load(" in failure.line)
    shown = OF_A_PROJECT.match(module) and LOADING.search(around) and not failure.frames
    if _loads(failure) or told or shown:
        yield failure.hit(_lacks(module))


@explains("folders-of-stylegan")
def folders_of_stylegan(failure: Failure) -> Hits:
    texts = " ".join(frame.text for frame in failure.frames)
    of_torch = "G_ema" in texts or failure.groups["module"][:6] != "dnnlib"  # of TensorFlow's, too
    if failure.groups["part"] or (of_torch and ("load(" in texts or "load_network_pkl(" in texts)):
        yield failure.hit(say("folder-stylegan-s-repositories", module=failure.groups["module"]))


def _lacks(module: str) -> Message:
    if not (library := LIBRARY.match(module)):
        return say("module-not-importable", module=module)
    change = libraries.of_name(module, "")
    if change and change.gone:
        return say("module-is-gone", module=module, library=library[0], version=change.gone)
    return say("module-of-other-version", module=module, library=library[0])


def _loads(failure: Failure) -> bool:
    files = (frame.posix.removesuffix("c") for frame in failure.frames)
    return any(file.endswith("torch/serialization.py") for file in files)
