"""Error messages: a configuration names a class that no registry holds."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

NEWER = frozenset(
    (
        "PackDetInputs PackSegInputs PackInputs PackPoseInputs DetDataPreprocessor "
        "SegDataPreProcessor DetLocalVisualizer EpochBasedTrainLoop IterBasedTrainLoop ValLoop "
        "TestLoop OptimWrapper AmpOptimWrapper CocoMetric IoUMetric DefaultSampler"
    ).split()
)
OLDER = frozenset(
    (
        "DefaultFormatBundle DefaultFormatBundle3D Collect Collect3D EpochBasedRunner "
        "IterBasedRunner TextLoggerHook NumClassCheckHook EvalHook DistEvalHook Fp16OptimizerHook "
        "OptimizerHook GroupSampler"
    ).split()
)
"""What configurations of OpenMMLab's toolboxes name since they stand on mmengine, and what before alone."""
TOOLBOX = re.compile(r"[/\\](mm(?!cv|engine)\w{2,12})[/\\]")
TABLE = re.compile(
    r"(?<![\w.])(?P<table>(?:\w{1,40}\.){0,2}\w{0,40}(?:models?|nets?|networks?|archs?|backbones?|encoders?|decoders?|"
    r"losses|criterions?|optimizers|optims?|schedulers|datasets)"
    r"(?:_?(?:dict|map|mapping|zoo|registry|factory|table|classes|fns?))?(?:\.__dict__)?)"
    r"\[[a-z_]\w{0,40}(?:\.\w{1,40}|\[[\w'\"]{1,40}\]){0,3}\]\(",
    re.IGNORECASE,
)
"""A look-up, by a name that a configuration gives, of what is called at once."""


@explains("lacked-by-a-toolbox")
def lacked_by_a_toolbox(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    yield failure.hit(_not_of_the_toolbox(failure, name, registry, failure.groups.get("scope", "")))


@explains("not-imported")
def not_imported(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    if "registered name for" in failure.message:
        yield failure.hit(say("package-not-included", name=name, registry=registry))
    else:
        yield failure.hit(say("no-file-was-imported", name=name, registry=registry))


@explains("not-of-fairseq")
def not_of_fairseq(failure: Failure) -> Hits:
    task, name = failure.groups["what"] == "task", failure.groups.get("name")
    if name:
        model = say("no-model-in-fairseq", name=name)
        yield failure.hit(say("no-task-in-fairseq", name=name) if task else model)
    else:
        yield failure.hit(
            say("no-such-task-in-fairseq") if task else say("no-such-model-in-fairseq")
        )


@explains("not-in-the-table")
def not_in_the_table(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if table := _table_without(failure):
        yield failure.hit(say("has-no-spelled-otherwise", table=table, name=name))


def _not_of_the_toolbox(failure: Failure, name: str, registry: str, scope: str) -> Message:
    """Why a toolbox of OpenMMLab's does not find a name."""
    home, _, own = name.rpartition(".")
    if name == "None":
        return say("type-missing", registry=registry)
    if own in NEWER and not scope:
        return say("of-newer-toolbox", own=own)
    if own in OLDER and scope:
        return say("of-older-toolbox", own=own)
    if home:
        return say("of-other-toolbox", own=own, home=home)
    if scope == "mmengine":
        return say("in-mmengine-only", name=name)
    boxes = [found[1] for frame in failure.frames if (found := TOOLBOX.search(frame.path))]
    box = scope or (boxes[-1] if boxes else "toolbox")
    return say("not-in-toolbox", name=name, registry=registry, box=box)


def _table_without(failure: Failure) -> str:
    """The table of classes that the last line looked into; nothing where it did something else."""
    found = TABLE.search(failure.frames[-1].text) if failure.frames else None
    return found["table"] if found is not None else ""
