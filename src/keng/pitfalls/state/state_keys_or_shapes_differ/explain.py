"""Error messages: a state dict does not fit the model it is loaded into."""

from __future__ import annotations

import ast
import re
from collections import OrderedDict
from typing import Any, NamedTuple

from keng.ckpt.mapping import Plan, StateErrors, in_numbers, in_words, of_another_head
from keng.explain.failure import Failure
from keng.explain.inspecting.operands import failing_node, value_of
from keng.explain.inspecting.state_dicts import entry_of, wanted_by
from keng.explain.live import LiveError
from keng.explain.ownership.paths import is_user
from keng.model import Fix, Hits
from keng.pitfalls.state._shared_explain import load_as_planned, plan_for
from keng.rules import explains
from keng.source import Code
from keng.tables.state_names import NESTINGS

OF_A_FILE = r"torch\.load\(|\b(?:checkpoint|ckpt|state_dict)\w*\[|load_(?:checkpoint|model)\w*: "

MOST_NAMES = 5
OF_A_RUN = re.compile(
    r"args|arch|config|epoch|iteration|\w*step|\w*loss|best_\w+|acc|optimizer|opt|\w*scheduler|scaler|"
    r"hyper_parameters|pytorch-lightning_version"
)
"""Entries of a training's checkpoint beside the weights."""
FILES = re.compile(r"\w\.(?:pth|pt|ckpt)\b|torch\.load\(")
GIVEN = {
    **dict.fromkeys(
        ("str", "PosixPath", "WindowsPath"), "a path is given: load_state_dict(torch.load(path))"
    ),
    **dict.fromkeys(
        ("BufferedReader", "BytesIO"), "an open file is given: load_state_dict(torch.load(file))"
    ),
    "NoneType": "None is given: what was to read the file, or to make the state dict, returned nothing",
    "_IncompatibleKeys": "what another load_state_dict returned is given: it loads in place, "
    "on a line of its own",
    "tuple": "a tuple is given: the state dict is one of its parts",
    "list": "a list is given: the state dict is one of its parts",
}


class Entries(NamedTuple):
    """The names in a dictionary that lacks an entry, the one that alone holds a state dict, which is the one
    that the module takes, and whether the dictionary itself is that."""

    names: tuple[str, ...]
    state: str
    itself: bool


@explains("names-or-shapes-differ")
def names_or_shapes_differ(failure: Failure) -> Hits:
    errors, plan = StateErrors.of(failure.message), plan_for(failure)
    inside = next((key for key in NESTINGS if key in errors.unexpected), "")
    fix = load_as_planned(failure, plan) if plan.settled else None
    if fix:
        says = in_words(plan)
    elif inside:
        says = f'the weights are one level deeper, in ["{inside}"]: load that entry'
    else:
        says = (
            _in_other_form(plan) or of_another_head(errors) or in_numbers(errors, failure.message)
        )
    lacks, more = len(errors.missing), len(errors.unexpected)
    yield failure.hit(says, fix, missing=lacks, unexpected=more, shapes=len(errors.shapes))


def _in_other_form(plan: Plan) -> str:
    """What one change of the whole explains."""
    empty = [each for each in plan.missing if each.why == "sharded"]
    if plan.variant:
        says = f"the file is of another variant: {plan.variant}, in {len(plan.missing)} entries"
        return f"{says}; build the model in that size"
    if likely := plan.likely:
        says = f"`{likely.old}` of the file may be `{likely.new}` of the model: rename it where the shapes agree"
        return f"{says}, and leave out a head of another number of classes"
    if empty:
        return f"`{empty[0].name}` is empty in the file, as ZeRO-3 saves it: `keng ckpt convert FOLDER OUT` joins DeepSpeed's shards"
    return ""


@explains("no-such-entry")
def no_such_entry(failure: Failure) -> Hits:
    last = " ".join(f"{frame.function}: {frame.text}" for frame in failure.frames[-1:])
    shown = last or f"{failure.message}\n{failure.surrounding}"
    of_a_file = re.search(OF_A_FILE, shown) or _is_state_of_file(failure, last)
    if failure.kind == "KeyError" and (of_a_file or failure.groups.get("sure")):
        key = failure.groups.get("key") or failure.groups["short"].strip("'")
        yield failure.hit(*_without_entry(failure, key))


@explains("no-dict")
def no_dict(failure: Failure) -> Hits:
    yield failure.hit(_no_state_dict(failure.groups["kind"].rpartition(".")[2]))


def _is_state_of_file(failure: Failure, line: str) -> bool:
    """Whether what the line calls `state`, as others call other things, was read from a file."""
    return re.search(r"\bstate\[['\"]", line) is not None and bool(FILES.search(failure.context))


def _without_entry(failure: Failure, key: str) -> tuple[str, Fix | None]:
    """What there is where a file lacks an entry."""
    there = failure.live.ask(_entries)
    says = f"what was loaded has no entry `{key}`"
    if there is None or not there.names:
        return f"{says}: {_instead(key)}; print its keys()", None
    names = ", ".join(f"`{name}`" for name in there.names[:MOST_NAMES])
    names += ", ..." if len(there.names) > MOST_NAMES else ""
    if there.itself:
        says = f"{says}, and is the state dict itself: load it as it is"
    elif there.state:
        says = f"{says}, but {names}: the weights are in `{there.state}`"
    else:
        return f"{says}, but {names}", None
    return says, failure.ask_line(_entered, key, there.state)


def _instead(key: str) -> str:
    if OF_A_RUN.fullmatch(key):
        return (
            "weights alone, or another program's file, where the checkpoint of a training is wanted"
        )
    return "it may be the state dict itself, to be loaded as it is, or call its parts otherwise"


def _entered(code: Code, line: int, key: str, other: str) -> Fix | None:
    """A fix that asks for another entry of a dictionary, or for the whole where that has no name."""
    found = code.tree.on_line(line, ast.Subscript)
    asked = [n for n in found if getattr(n.slice, "value", None) == key]
    if len(asked) != 1:
        return None
    quote = code.text_of(asked[0].slice)[-1]
    entry = code.edits.replace(asked[0].slice, f"{quote}{other}{quote}")
    whole = code.edits.replace(asked[0], code.text_of(asked[0].value))
    return Fix("Load what is there", (entry if other else whole,), "shown")


def _no_state_dict(kind: str) -> str:
    """What a module is given to load, by its type."""
    return GIVEN.get(kind, f"a `{kind}` is given, no state dict: a whole model has .state_dict()")


def _entries(error: LiveError) -> Entries | None:
    """Those of the dictionary that lacks the one that is asked for."""
    tracebacks, torch = error.tracebacks, error.torch
    frame = tracebacks[-1].tb_frame
    node = failing_node(tracebacks[-1]) if is_user(frame.f_code.co_filename) else None
    owner: Any = value_of(node.value, frame, torch) if isinstance(node, ast.Subscript) else None
    if node is None or type(owner) not in (dict, OrderedDict):
        return None
    above: Any = getattr(node, "parent", None)
    loads = isinstance(above, ast.Call) and getattr(above.func, "attr", "") == "load_state_dict"
    module = value_of(above.func.value, frame, torch) if loads else None
    wanted = dict(wanted_by(module)) if isinstance(module, torch.nn.Module) else None
    states = {name: each for name, each in owner.items() if _is_state(each, torch)}
    fits = [name for name, each in states.items() if wanted and _shapes(each) == wanted]
    itself = _is_state(owner, torch) and bool(wanted) and _shapes(owner) == wanted
    names = tuple(name for name in owner if isinstance(name, str))
    return Entries(names, fits[0] if len(states) == len(fits) == 1 else "", itself)


def _is_state(value: Any, torch: Any) -> bool:
    """Whether it is a dictionary of tensors."""
    known = type(value) in (dict, OrderedDict) and bool(value)
    return known and all(isinstance(each, torch.Tensor) for each in value.values())


def _shapes(state: dict[str, Any]) -> dict[str, Any]:
    return {name: entry_of(each) for name, each in state.items()}
