"""Source code: a forked process uses CUDA."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.device._shared import starts_cuda_before
from keng.rules import finds
from keng.source import Code, Definition

PROCESSES = ("multiprocessing", "torch.multiprocessing")
POOLS = (*(f"{module}.Pool" for module in PROCESSES), "concurrent.futures.ProcessPoolExecutor")
HANDED_TO_POOLS = (
    *("map", "imap", "imap_unordered", "starmap", "apply", "map_async", "starmap_async"),
    *("apply_async", "submit"),
)
"""Methods by which a pool is given what its processes run."""


@finds(mentions=["torch.utils.data.DataLoader"])
def dataset_that_uses_cuda(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.utils.data.DataLoader"):
        dataset = code.types.value_of(code.calls.argument(call, "dataset", position=0)).definition
        workers = code.calls.argument(call, "num_workers", position=5)
        if dataset is None or not _is_positive(code, workers):
            continue
        used = _cuda_in_items(code.at(dataset.tree), dataset)
        if used is None or code.calls.argument(call, "multiprocessing_context") is not None:
            continue
        if any(code.calls.method_calls("set_start_method")):
            continue
        says = say("dataset-moves-items-to-gpu", dataset=dataset.name)
        yield code.hit(call, says, line=used.lineno)


@finds(mentions=["Process", *HANDED_TO_POOLS])
def forked_after_cuda_started(code: Code) -> Hits:
    for call, name, used in _forked_with_cuda(code):
        started = starts_cuda_before(code, call)
        if started is not None:
            says = say("function-uses-cuda-after-start", name=name, line=started.lineno)
            yield code.hit(call, says, line=used.lineno)


def _cuda_in_items(code: Code, dataset: Definition) -> ast.Call | None:
    """The call by which `__getitem__` of a dataset of the project uses CUDA."""
    getter = code.classes.of(dataset.tree).method(dataset, "__getitem__")
    if getter is None:
        return None
    tree = getter.tree
    return next((c for c in code.devices.of(tree).cuda_calls if tree.within(c, getter.node)), None)


def _forked_with_cuda(code: Code) -> Iterator[tuple[ast.Call, str, ast.Call]]:
    """Processes that are started by fork to run a function that uses CUDA: where they are made, the
    function, and its use."""
    chosen = (*code.calls.method_calls("set_start_method"), *code.calls.method_calls("get_context"))
    named = (*code.calls.calls_to(*(f"{m}.set_start_method" for m in PROCESSES)), *chosen)
    for call, target in _given_to_processes(code) if not named else ():
        if isinstance(target, ast.Call) and code.names.resolve(target.func) == "functools.partial":
            target = target.args[0]
        found = code.types.definition(target)
        if found is None:
            continue
        inside = [
            c for c in code.devices.of(found.tree).cuda_calls if found.tree.within(c, found.node)
        ]
        if inside:
            yield call, ast.unparse(target), inside[0]


def _given_to_processes(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls that make processes, and what these run: a `target`, or what a pool is handed."""
    for call in code.calls.calls_to(*(f"{m}.Process" for m in PROCESSES)):
        yield from ((call, k.value) for k in call.keywords if k.arg == "target")
    for call in code.calls.method_calls(*HANDED_TO_POOLS):
        pool = code.flow.receiver_made_by(call)
        if pool is None or code.names.resolve(pool.func) not in POOLS or not call.args:
            continue
        if not any(k.arg == "mp_context" for k in pool.keywords):
            yield pool, call.args[0]


def _is_positive(code: Code, node: ast.expr | None) -> bool:
    """Whether an expression is a number above zero."""
    match node:
        case ast.Constant(value=int(number)):
            return number > 0
    return False
