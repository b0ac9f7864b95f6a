"""Error messages: something is sent to another process that cannot be pickled."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.data._shared_explain import is_from_saving
from keng.rules import explains
from keng.source import Code

HELD = re.compile(r"^(?:_thread\.|_queue\.|(?:_?ssl\.)?_?SSL|socket|weakref|select\.|Environment)")
"""What belongs to one process."""
HOOK, WANDBS = re.compile(r"(?<!web)hook", re.IGNORECASE), ("TorchHistory.", "TorchGraph.")
LOADER = "torch/utils/data/dataloader.py"
LOADS = re.compile(r"num_workers|DataLoader|data_?loader")
SAVES = re.compile(r"\btorch\.save\(")
BY_NAME = "functions at the top level of a module can"
IN_PLACE_OF_IT = {
    "generator": "it is used up by one reader: keep list(...) of what it gives",
    **dict.fromkeys(("dict_keys", "dict_values", "dict_items"), "keep list(...) of it"),
    "mappingproxy": "keep dict(...) of it",
    "module": "it is a file of Python, kept as by self.np = numpy: import it where it is used",
    "torch._C.Generator": "make it there, from a seed",
}
"""A type -> what is kept in its place."""
TORCHS = (
    "PyTorch 1.5.0 cannot pickle its own functions: nn.Tanh() for torch.tanh, or another version"
)
ANEW = (
    "under its name is another by now, which a cell or a reload has defined since, or a decorator has "
    "put there: make the object anew"
)
UNDER_ANOTHER = (
    "its module does not have it under that name, as where Config = namedtuple('Other', ...): one name "
    "for both, at the top level"
)


@explains("without-a-name")
def without_a_name(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/copy.py"):
        return  # a deepcopy, which sends nothing
    what = failure.groups["what"].partition(" at 0x")[0].rpartition(".")[2].strip("<>'")
    what = re.sub(r"^(?:function|type|class) '?", "", what) or "it"
    name = f"`{what}`" if "lambda" not in what else _the_lambda(failure.code)
    says = f"{name} cannot be sent to another process or file: {_instead(failure, failure.groups['what'])}"
    if HELD.search(failure.groups["what"]):
        says = f"{name} cannot be sent to another process or file: what holds it, a logger, a client or a connection, is left out, and made there on first use"
    elif HOOK.search(failure.groups["what"]):
        says = f"{name} is a hook in a model that is pickled whole: save model.state_dict(), or take the hook off before, handle.remove()"
        says += " or wandb.unwatch()" if failure.groups["what"].startswith(WANDBS) else ""
    yield failure.hit(says)


@explains("saved-with-an-open-file")
def saved_with_an_open_file(failure: Failure) -> Hits:
    what = failure.groups["what"]
    says = say("what-saved-holds-open", what=what)
    if is_from_saving(failure) and not failure.raised_in.endswith("/copy.py"):
        yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


def _the_lambda(code: Code | None) -> str:
    written = code.of(ast.Lambda) if code is not None else []
    if code is None or len(written) != 1:
        return "a lambda"
    return f"`{code.text_of(written[0])}` on line {written[0].lineno}"


@explains("with-its-graph")
def with_its_graph(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-graph-sent-another"))


def _instead(failure: Failure, what: str) -> str:
    """What is done about a thing that cannot be pickled, by how the message calls it."""
    if "it's not the same object as" in failure.message:
        return TORCHS if "_VariableFunctions" in what else ANEW
    if what.startswith("<class '") and "attribute lookup" in failure.message:
        return UNDER_ANOTHER
    if what in IN_PLACE_OF_IT:
        return IN_PLACE_OF_IT[what]
    told = f"{failure.message} {failure.context}"
    if failure.passed_through(LOADER) or LOADS.search(told):
        return f"{BY_NAME}, and with num_workers=0 nothing is sent"
    if is_from_saving(failure) or SAVES.search(told):
        states = (
            "save the state_dict() of a model, an optimizer or a scheduler in place of the whole"
        )
        return f"{states}; {BY_NAME}"
    return BY_NAME
