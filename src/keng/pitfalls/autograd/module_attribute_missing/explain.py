"""Error messages: a module has no attribute of that name."""

from __future__ import annotations

import re
from difflib import get_close_matches

from keng.explain.advice.attributes import LATER, in_other_words, of_later_modules
from keng.explain.advice.clip import encoder_of
from keng.explain.advice.fits import meant
from keng.explain.advice.shown import (
    met_by_a_pickle,
    never_kept,
    never_set,
    taken_for_a_file,
    told_of_a_property,
)
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.torch_names import MODULES

LAYERS = {*MODULES, "RecursiveScriptModule", "ScriptModule", "OptimizedModule"}
"""Classes of PyTorch's: where no frame tells whose class it is, only these are."""


LAYER_LIKE = re.compile(
    r"\w(?:Conv(?:\dd)?|Norm|Linear|Embed(?:ding)?|Net|Attention|For[A-Z][a-z]\w+|(?:LMHead|PreTrained)Model)$|"
    r"^(?:\w{0,30}Transformer|\w{0,30}(?:Conv|Attn|Attention|Res|Residual)|Basic|Down|Up|Dense|Mid)Block(?:\dD)?$"
)
"""Names that layers and models have in libraries over PyTorch."""


@explains("no-such-attribute")
def no_such_attribute(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    last = failure.frames[-1].path if failure.frames else ""
    ours = kind in LAYERS or LAYER_LIKE.search(kind) is not None
    ours = ours or failure.kind.endswith("ModuleAttributeError")  # of torch 1.6 and 1.7
    ours = ours or (not kind[0].islower() and last.endswith("torch/nn/modules/module.py"))
    ours = ours or re.search(rf"class {kind}\([\w.]*Module\):", failure.around) is not None
    near = encoder_of(kind, name) or in_other_words(kind, name) or never_kept(failure, kind, name)
    near = near or taken_for_a_file(failure, kind, name)
    ours = ours or bool(near)
    if method := of_later_modules(kind, name):
        near, ours = method, True
    elif (kind in LAYERS or name[0] == "_") and LATER.fullmatch(f"{kind} {name}"):
        ours = True
        near = ", which later versions have: a file of an older PyTorch holds the whole model"
    if not ours:
        return
    if failure.code is not None:
        known = {*re.findall(r"\bself\.(\w+)(?:: \w+)? = ", failure.code.text)} - {name}
        close = get_close_matches(name, known, 1)
        near = near or "".join(f"; did you mean `{word}`?" for word in close)
    near = near or met_by_a_pickle(failure) or ("" if kind in LAYERS else never_set(failure, name))
    inside = told_of_a_property(failure, kind, name)
    fix = None if inside else meant(failure, kind, name)
    yield failure.hit(inside or f"a {kind} has no {name}{near}", fix)


@explains("not-among-the-submodules")
def not_among_the_submodules(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(f"a {kind} has no {name}: names are as in model.named_modules()")


@explains("not-told-in-old-versions")
def not_told_in_old_versions(failure: Failure) -> Hits:
    yield failure.hit(
        "a module has no attribute of the name on the last line of one's own: PyTorch 0.1 does not tell it"
    )


@explains("no-such-layer")
def no_such_layer(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/modules/container.py"):
        yield failure.hit(f"there is no layer {failure.groups['index']}: they are numbered from 0")
