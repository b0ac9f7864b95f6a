"""Error messages: an adapter is to be put beside layers that the model does not have."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

EXPRESSION = re.compile(r"""['"](?P<one>[^'",]*(?:\.\*|\\\\?\.|\.\+|[\^$|]|\[\d)[^'",]*)['"]""")
"""An entry of a list that is written as a regular expression; `repr` doubles its backslashes."""


@explains("not-in-the-model")
def not_in_the_model(failure: Failure) -> Hits:
    names = failure.groups["names"]
    expression = EXPRESSION.search(names)
    if expression is not None and names[0] in "[{":
        one = expression["one"].replace("\\\\", "\\")
        yield failure.hit(say("regular-expression-in-a-list", expression=one, whole=one))
        return
    says = f"no layer of the model ends in one of {names}, which are of another architecture: target_modules='all-linear' "
    says += "from PEFT 0.8 on, none where PEFT knows the model, or names out of named_modules()"
    if any(f.function == "from_pretrained" and "/peft/" in f.posix for f in failure.frames):
        says = f"the adapter goes beside {names}, which this base model does not have: load the model that adapter_config.json names, with a transformers that calls its layers so"
    elif names in ("set()", "[]", "{}"):
        says = "the list of target_modules is empty: the layers are of another class, or carry an adapter already"
    elif names == "all-linear":
        says = "`all-linear` is no layer's name, but a word that PEFT knows from 0.8 on: pip install -U peft, or the names of the linear layers"
    yield failure.hit(says)


@explains("none-known")
def none_known(failure: Failure) -> Hits:
    yield failure.hit(say("peft-knows-no-layers"))


@explains("no-layer-for-it")
def no_layer_for_it(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    cure = "name the linear layers inside it"
    if kind.startswith("Linear"):
        cure = "a packed layer that this PEFT does not know: pip install -U peft bitsandbytes"
    yield failure.hit(say("target-modules-names-no", cure=kind, cure_2=cure))


@explains("half-of-it-adapted")
def half_of_it_adapted(failure: Failure) -> Hits:
    kind, names = failure.groups["kind"], failure.groups["names"]
    yield failure.hit(
        f"no {kind} of the model is named by {names}, and the adapter goes without: names out of model.named_{kind}s()"
    )


@explains("nothing-excluded")
def nothing_excluded(failure: Failure) -> Hits:
    yield failure.hit(say("none-layers-target-modules", names=failure.groups["names"]))


@explains("read-past-the-layer")
def read_past_the_layer(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("mamba-s-kernels-read", name=name))
