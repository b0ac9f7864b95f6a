"""Error messages: a session of ONNX Runtime is fed otherwise than the model was exported."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MANGLED = {"f": "float", "d": "double", "i": "int32", "l": "int64", "x": "int64", "b": "bool"}
"""How compilers write a type, which older versions print."""


NUMPYS = {
    "float": "np.float32",
    "double": "np.float64",
    "float16": "np.float16",
    "int64": "np.int64",
    "int32": "np.int32",
    "uint8": "np.uint8",
}


@explains("of-another-type")
def of_another_type(failure: Failure) -> Hits:
    got, wants = (_readable(failure.groups[name]) for name in ("got", "wants"))
    if failure.mentions_torch:
        says = say(
            "input-was-exported-astype", dtype=got, wants=wants, wants_2=NUMPYS.get(wants, wants)
        )
        yield failure.hit(says)


def _readable(kind: str) -> str:
    plain = kind.removeprefix("tensor(").rstrip(")")
    return MANGLED.get(plain.removesuffix("EE")[-1:], plain) if plain.endswith("EE") else plain


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    name, got, wants = (failure.groups[each] for each in ("name", "got", "wants"))
    if failure.mentions_torch:
        says = say("has-dimensions-was-exported", wants=name, got=got, wants_2=wants)
        if int(wants) == int(got) + 1:
            says = say("has-dimensions-was-exported-2", wants=name, got=got, wants_2=wants)
        elif int(got) == int(wants) + 1:
            says = say("has-dimensions-was-exported-3", wants=name, got=got, wants_2=wants)
        yield failure.hit(says)


@explains("not-fed")
def not_fed(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.mentions_torch:
        says = say("model-has-input-run", name=name)
        yield failure.hit(says)


@explains("not-known")
def not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.mentions_torch:
        says = say("model-has-no-input", name=name)
        yield failure.hit(says)
