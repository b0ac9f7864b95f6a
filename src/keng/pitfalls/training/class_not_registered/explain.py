"""Error messages: a configuration names a class that no registry holds."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
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
    how = "--include-package" if "registered name for" in failure.message else "an import"
    yield failure.hit(say("no-file-was-imported", how=name, registry=registry, how_2=how))


@explains("dataset-not-registered")
def dataset_not_registered(failure: Failure) -> Hits:
    yield failure.hit(say("process-has-not-registered", name=failure.groups["name"]))


@explains("registered-twice")
def registered_twice(failure: Failure) -> Hits:
    yield failure.hit(say("registered-twice-file-imported", name=failure.groups["name"]))


@explains("not-of-fairseq")
def not_of_fairseq(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups.get("name", "")
    shown = f" `{name}`" if name else " of that name"
    yield failure.hit(say("fairseq-has-no-here", what=what, shown=shown))


@explains("not-in-the-table")
def not_in_the_table(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if table := _table_without(failure):
        yield failure.hit(say("has-no-spelled-otherwise", name=table, name_2=name))


def _not_of_the_toolbox(failure: Failure, name: str, registry: str, scope: str) -> str:
    """Why a toolbox of OpenMMLab's does not find a name."""
    home, _, own = name.rpartition(".")
    boxes = [found[1] for frame in failure.frames if (found := TOOLBOX.search(frame.path))]
    box = scope or (boxes[-1] if boxes else "toolbox")
    if name == "None":
        return (
            f"the configuration gives no type for what is built as {registry}: `type=` is "
            "missing, or the base file that has it is not read"
        )
    if own in NEWER and not scope:
        return (
            f"`{own}` is of the toolboxes over mmengine, as mmdet 3 and mmseg 1, and an older one "
            "is installed: a configuration of its version, or pip install -U"
        )
    if own in OLDER and scope:
        return (
            f"`{own}` is of the toolboxes before mmengine, as mmdet 2 and mmseg 0, and a newer "
            "one is installed: a configuration of its version"
        )
    if home:
        return (
            f"`{own}` is of {home}, which is not installed or not imported: pip install it, and "
            f"custom_imports=dict(imports=['{home}.models'])"
        )
    if scope == "mmengine":
        return (
            f"`{name}` is looked for in mmengine alone: default_scope='mmdet', or whose it is, "
            "and that toolbox imported (init_default_scope, custom_imports)"
        )
    return (
        f"no file that was imported puts `{name}` into the registry {registry}: "
        f"custom_imports in the configuration, or the repository's own {box} in place of the "
        "stock one"
    )


def _table_without(failure: Failure) -> str:
    """The table of classes that the last line looked into; nothing where it did something else."""
    found = TABLE.search(failure.frames[-1].text) if failure.frames else None
    return found["table"] if found is not None else ""
