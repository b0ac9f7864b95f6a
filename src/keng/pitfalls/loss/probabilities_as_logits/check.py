"""Source code: probabilities are given to what takes logits and normalizes them again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SOFTMAX = frozenset(
    ["torch.softmax", "torch.nn.functional.softmax", "torch.Tensor.softmax", "torch.nn.Softmax"]
)
SIGMOID = frozenset(
    ["torch.sigmoid", "torch.nn.functional.sigmoid", "torch.Tensor.sigmoid", "torch.nn.Sigmoid"]
)
OVER_CLASSES = frozenset(
    f"torch.distributions.{name}"
    for name in (
        *("Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough"),
        *("RelaxedOneHotCategorical", "Multinomial"),
    )
)
OF_ONE = frozenset(
    f"torch.distributions.{name}"
    for name in ("Bernoulli", "RelaxedBernoulli", "Binomial", "ContinuousBernoulli")
)
AGAIN = ("torch.nn.functional.softmax", "torch.softmax", "torch.nn.functional.log_softmax")
GUMBEL = "torch.nn.functional.gumbel_softmax"


@finds(mentions=["logits", "gumbel_softmax"])
def normalized_by_distribution(code: Code) -> Hits:
    for call, given, made_by in _logits_given(code):
        origins = code.origins.origins(given)
        if origins and all(origin.dotted in made_by for origin in origins):
            name = code.calls.attribute_name(call.func)
            yield code.hit(given, say("probabilities", given=code.text_of(given), taker=name))


def _logits_given(code: Code) -> Iterator[tuple[ast.Call, ast.expr, frozenset[str]]]:
    """What calls take as logits, and what would make probabilities of it."""
    for keyword in code.of(ast.keyword):
        call = code.tree.parent[keyword]
        if keyword.arg != "logits" or not isinstance(call, ast.Call):
            continue
        dotted = code.names.resolve(call.func)
        if dotted in OVER_CLASSES:
            yield call, keyword.value, SOFTMAX
        elif dotted in OF_ONE:
            yield call, keyword.value, SIGMOID | SOFTMAX
    for call in code.calls.calls_to(GUMBEL):
        given = code.calls.argument(call, "logits", 0)
        if given is not None:
            yield call, given, SOFTMAX


@finds(mentions=["softmax", "log_softmax", "Softmax", "LogSoftmax"])
def normalized_twice(code: Code) -> Hits:
    """`log_softmax(softmax(x))` and `softmax(softmax(x))`, through names and the forward of a model."""
    for call, given in _softmax_calls(code):
        origins = code.origins.origins(given)
        if origins and all(origin.dotted in SOFTMAX for origin in origins):
            if any(origin.call is call for origin in origins):
                continue
            text = shorten(code.text_of(call), 60, placeholder=" ...")
            yield code.hit(call, say("twice", call=text, given=code.text_of(given)))


def _softmax_calls(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    for name in AGAIN:
        for call in code.calls.calls_to(name):
            if call.args:
                yield call, call.args[0]
    for call in code.calls.method_calls("softmax", "log_softmax"):
        if not code.names.resolve(call.func):
            receiver = code.tree.receiver(call)
            if code.classes.self_class(receiver) is None:
                yield call, receiver
