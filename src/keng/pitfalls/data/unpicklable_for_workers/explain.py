"""Error messages: something is sent to another process that cannot be pickled."""

from __future__ import annotations

import ast
import re

from keng.explain.advice.unpicklable import HELD, HOOK, WANDBS, instead
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.source import Code


@explains("without-a-name")
def without_a_name(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/copy.py"):
        return  # a deepcopy, which sends nothing
    what = failure.groups["what"].partition(" at 0x")[0].rpartition(".")[2].strip("<>'")
    what = re.sub(r"^(?:function|type|class) '?", "", what) or "it"
    name = f"`{what}`" if "lambda" not in what else _the_lambda(failure.code)
    says = f"{name} cannot be sent to another process or file: {instead(failure, failure.groups['what'])}"
    if HELD.search(failure.groups["what"]):
        says = f"{name} cannot be sent to another process or file: what holds it, a logger, a client or a connection, is left out, and made there on first use"
    elif HOOK.search(failure.groups["what"]):
        says = f"{name} is a hook in a model that is pickled whole: save model.state_dict(), or take the hook off before, handle.remove()"
        says += " or wandb.unwatch()" if failure.groups["what"].startswith(WANDBS) else ""
    yield failure.hit(says)


@explains("saved-with-an-open-file")
def saved_with_an_open_file(failure: Failure) -> Hits:
    what = failure.groups["what"]
    says = f"what is saved holds an open file ({what}), as a SummaryWriter or a logger does: leave it out of what torch.save gets"
    if failure.saves and not failure.raised_in.endswith("/copy.py"):
        yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


def _the_lambda(code: Code | None) -> str:
    written = code.of(ast.Lambda) if code is not None else []
    if code is None or len(written) != 1:
        return "a lambda"
    return f"`{code.text_of(written[0])}` on line {written[0].lineno}"


@explains("with-its-graph")
def with_its_graph(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor with a graph is sent to another process: detach() it, and in a dataset no_grad around the model"
    )
