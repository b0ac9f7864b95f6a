"""Error messages: pyTorch is to call a function, and is given something else."""

from __future__ import annotations

import re
from functools import reduce

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

CALLED = re.compile(r"\b(collate_fn|init_fn|lr_lambda|lmbda|closure|fn|func|hook)\(")
"""What PyTorch is given to call."""


NAMES = {"lmbda": "lr_lambda", "init_fn": "worker_init_fn"}


MADE = re.compile(r"\b(?:Lambda|Multiplicative)LR\(\w+, ?(?:lr_lambda=)?[\d.]+\)")

MEASURED = re.compile(r"\.(?:train|eval)_model\((?P<given>[^()]{1,600})")
GIVEN = re.compile(r"\b(?P<name>\w{2,40}) ?= ?(?:True|False|None|-?[\d.]+|[\"'])")
TAKES = frozenset(
    "output_dir show_running_loss args eval_data eval_df eval_file verbose silent multi_label".split()
)
"""What the methods of Simple Transformers know by name."""


@explains("no-function")
def no_function(failure: Failure) -> Hits:
    last, came = failure.frames[-1:], failure.groups["came"]
    inside = last and not last[0].user and "torch" in last[0].path
    called = CALLED.search(last[0].text) if inside else None
    if called is not None:
        name = NAMES.get(called[1], called[1])
        yield failure.hit(_given_for(name, came))
    elif came == "float" and MADE.search(failure.surrounding):
        yield failure.hit(_given_for("lr_lambda", came))
    elif option := _taken_for_a_metric(failure):
        yield failure.hit(say("simple-transformers-calls-what", option=option))


@explains("no-function-of-the-epoch")
def no_function_of_the_epoch(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    yield failure.hit(_given_for(name, came))


def _given_for(name: str, came: str) -> Message:
    if name == "collate_fn" and came == "NoneType":
        return say("leave-out", name=name, came=came)
    if name in ("lr_lambda", "lmbda") and came in ("float", "int"):
        return say("pass-lambda", name=name, came=came)
    return say("pass-function", name=name, came=came)


def _taken_for_a_metric(failure: Failure) -> str:
    """The options by which a method of Simple Transformers is given what is no function."""
    text = failure.line or f"{failure.surrounding}\n{failure.message}"
    call = MEASURED.search(text) if failure.contains("simpletransformers") else None
    named = [found["name"] for found in GIVEN.finditer(call["given"] if call else "")]
    quoted = [f"`{name}`" for name in dict.fromkeys(named) if name not in TAKES]
    return reduce(lambda one, other: say("either", first=one, second=other), quoted or [""])
