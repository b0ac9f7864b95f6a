"""Error messages: the whole model is pickled, not its weights."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

LOADED = re.compile(r"state|checkpoint|ckpt|model|net|weight|pretrain|load", re.IGNORECASE)


PYTHONS = ("NoneType", "Namespace", "PosixPath", "WindowsPath", "Path", "Series", "DataFrame")
"""Types of Python, and of what is no model, that begin in capitals."""


ENTRY = re.compile(
    r"(?P<of>\w{0,30}(?:checkpoint|ckpt|state_?dict|pretrained)\w{0,30})\[[\"'](?P<entry>[\w.-]{1,60})[\"']\]"
)


KEEPERS = re.compile(r"/torch/(?:optim/(?:optimizer|lr_scheduler)|(?:cuda/)?amp/grad_scaler)\.py$")
"""What has a state beside the model."""


@explains("searched-for-an-entry")
def searched_for_an_entry(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind not in PYTHONS and (not failure.line or LOADED.search(failure.line)):
        yield failure.hit(
            f"an entry is looked for in a `{kind}`: if it was loaded, the file holds the whole model, to be used as it is, or by its .state_dict()"
        )


@explains("taken-for-a-dict")
def taken_for_a_dict(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/modules/module.py"):
        yield failure.hit(
            f"a dict is wanted and a `{failure.groups['kind']}` came: if it was loaded, the file holds the whole model, to be used as it is, or by its .state_dict()"
        )


@explains("whole-in-place-of-its-state")
def whole_in_place_of_its_state(failure: Failure) -> Hits:
    kind, last = failure.groups["kind"], failure.frames[-1] if failure.frames else None
    loads = last is not None and last.function.startswith("load_state_dict")
    if loads and KEEPERS.search(failure.raised_in) and kind != "NoneType":
        yield failure.hit(
            f"load_state_dict wants a state dict, and a whole `{kind}` came: save its state_dict(); of one that was saved whole, torch.load(path).state_dict()"
        )


@explains("entry-of-a-whole")
def entry_of_a_whole(failure: Failure) -> Hits:
    kind, found = failure.groups["kind"], ENTRY.search(failure.line or failure.surrounding)
    if found is not None and kind not in PYTHONS:
        yield failure.hit(
            f"`{found['of']}` is a whole {kind} and no dict with an entry `{found['entry']}`: use it as the model, and for going on save {{'model': model.state_dict(), 'optimizer': ..., 'epoch': ...}}",
            sure=bool(failure.line),
        )
