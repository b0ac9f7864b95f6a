"""Error messages: `torch.compile` meets what it cannot trace."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CURES = {
    "capture_scalar_outputs": ": .item() and its like; stay with tensors, or torch._dynamo.config.capture_scalar_outputs = True",
    "capture_dynamic_output_shape_ops": ": its size depends on the numbers; torch.where, or "
    "torch._dynamo.config.capture_dynamic_output_shape_ops = True",
    "unsupported operator: ": ": the operator has no form for fake tensors; torch.library.register_fake",
    "generic_jump": ": an `if` on the value of a tensor; torch.where, or torch.cond",
}
"""What to do about messages of the time before the numbers, by a piece of them."""

HINT = re.compile(r"^\s{0,8}Hint: (.{10,200})$", re.MULTILINE)
NO_HELP = re.compile(
    r"report an issue|[Ii]t may be possible to write|supportable|dynamo bug", re.IGNORECASE
)
PAGE = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{id}.html"


@explains("with-a-number")
def with_a_number(failure: Failure) -> Hits:
    if not failure.kind.endswith("Unsupported") and "debug context" not in failure.message:
        return  # others explain themselves as well
    kind, why = failure.groups["kind"], failure.groups["why"].strip()
    page = failure.groups.get("page") or _page_of(kind)
    hint = _hint(failure.message)
    if (library := _library_traced(failure)) and why:
        says = say("library-code-not-traced", library=library, why=why, hint=hint or _allowed(page))
        yield failure.hit(says, hint=hint, page=page)
        return
    see = f"; see {page}" if page else ""
    told = f"dynamo cannot trace this: {kind}{f': {why}' if why else ''}{see}"
    yield failure.hit(f"{told}{_in_pieces(failure)}", hint=hint, page=page)


@explains("decided-by-data")
def decided_by_data(failure: Failure) -> Hits:
    yield failure.hit(say("decided-value-known-only", what=failure.groups["what"]))


@explains("condition-on-a-value")
def condition_on_a_value(failure: Failure) -> Hits:
    yield failure.hit(say("condition-on-value-tensor"))


@explains("without-a-number")
def without_a_number(failure: Failure) -> Hits:
    if not failure.kind.endswith("Unsupported"):
        return  # the exporter to ONNX says so as well
    what = failure.groups["what"].strip("' ")
    cure = next((cure for told, cure in CURES.items() if told in failure.message), "")
    yield failure.hit(say("dynamo-cannot-trace", what=what, cure=cure, failure=_in_pieces(failure)))


@explains("size-without-limits")
def size_without_limits(failure: Failure) -> Hits:
    yield failure.hit(say("number-out-tensor-used"))


@explains("told-in-a-log")
def told_in_a_log(failure: Failure) -> Hits:
    yield failure.hit(say("dynamo-does-not-trace", what=failure.groups["what"].strip()))


@explains("branch-not-captured")
def branch_not_captured(failure: Failure) -> Hits:
    yield failure.hit(say("function-given-torch-s", name=failure.groups["name"].lower()))


def _library_traced(failure: Failure) -> str:
    """The library whose code dynamo followed from the user's line and could not trace; "" if it is the user's own."""
    last = failure.frames[-1] if failure.frames else None
    traced = "from user code" in failure.message and any(frame.user for frame in failure.frames)
    if last is None or last.user or not traced:
        return ""
    found = re.search(r"(?:-packages|/lib(?:64)?/python3\.\d{1,2})/(\w+)", last.posix)
    return found[1] if found is not None and found[1] not in ("torch", "site") else ""


def _hint(message: str) -> str:
    """The first hint of dynamo that the user can act on: most say to report an issue."""
    hints = (each.strip() for each in HINT.findall(message))
    return next((hint for hint in hints if NO_HELP.search(hint) is None), "")


def _allowed(page: str) -> str:
    return f"See {page}" if page else "Call it outside of the compiled function"


def _in_pieces(failure: Failure) -> str:
    """What else there is where torch.compile was told to take the whole function, and no exporter did."""
    exported = any(re.search(r"torch/(?:export|onnx)/", frame.posix) for frame in failure.frames)
    raised = failure.kind.endswith("Unsupported") and not exported
    return "; without fullgraph=True it goes on in pieces" if raised else ""


def _page_of(kind: str) -> str:
    """The page of a kind of graph break ("Data-dependent branching"); nothing where the torch that is
    installed has none of that name, or no torch is."""
    number = _numbers().get(kind)
    return PAGE.format(id=number.lower()) if number else ""


@cache
def _numbers() -> dict[str, str]:
    try:
        spec = find_spec("torch")
    except (ImportError, ValueError):
        return {}
    for folder in (spec and spec.submodule_search_locations) or ():
        registry = Path(folder, "_dynamo", "graph_break_registry.json")
        if registry.exists():
            known = json.loads(registry.read_text("utf-8"))
            return {each["Gb_type"]: number for number, all in known.items() for each in all}
    return {}
