"""Error messages: pyTorch is to call a function, and is given something else."""

from __future__ import annotations

import re

from keng.explain.advice.steps import given_for, taken_for_a_metric
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

CALLED = re.compile(r"\b(collate_fn|init_fn|lr_lambda|lmbda|closure|fn|func|hook)\(")
"""What PyTorch is given to call."""


NAMES = {"lmbda": "lr_lambda", "init_fn": "worker_init_fn"}


MADE = re.compile(r"\b(?:Lambda|Multiplicative)LR\(\w+, ?(?:lr_lambda=)?[\d.]+\)")


@explains("no-function")
def no_function(failure: Failure) -> Hits:
    last, came = failure.frames[-1:], failure.groups["came"]
    inside = last and not last[0].user and "torch" in last[0].path
    called = CALLED.search(last[0].text) if inside else None
    if called is not None:
        name = NAMES.get(called[1], called[1])
        yield failure.hit(given_for(name, came))
    elif came == "float" and MADE.search(failure.around):
        yield failure.hit(given_for("lr_lambda", came))
    elif option := taken_for_a_metric(failure):
        yield failure.hit(
            f"Simple Transformers calls what it is given by an unknown name as a metric, and {option} is none: a setting goes to the model or into its args"
        )


@explains("no-function-of-the-epoch")
def no_function_of_the_epoch(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    yield failure.hit(given_for(name, came))
