"""Error messages: a loader has no more batches, or none at all."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.source import Code
from keng.source.loops import LOADER_LIKE

NEXT = re.compile(r"\bnext\((?P<of>\w[\w.]*)\)|(?P<old>\w[\w.]*)\.(?:next|__next__)\(\)")


NEXT_BATCH = re.compile(
    r"\bnext\((?:iter\()?\w*(?:loader|data_?iter|_dl|batch)\w*\)", re.IGNORECASE
)


LOADER = re.compile(r"\b\w{0,40}(?:loader|_dl)s?\b(?!\()")


FIRST = re.compile(r"\bnext\(iter\(|\biter\([^()]{1,80}\)\.(?:next|__next__)\(\)")


@explains("set-by-no-batch")
def set_by_no_batch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    code = failure.program
    loop = _loop_that_alone_sets(code, name) if code is not None else None
    through = code.text_of(loop.iter) if code and loop else _counted(failure, name)
    if through:
        yield failure.hit(say("loop-without-batch", loader=through, name=name))


def _counted(failure: Failure, name: str) -> str:
    """The one loader that the traceback names, where the failing line divides by the steps of a loop over it."""
    steps = rf"/ ?\(?(?:float\()?{name}\b|\b{name} ?\+ ?1\b"
    named = {each for frame in failure.frames for each in LOADER.findall(frame.text)}
    return named.pop() if re.search(steps, failure.line) and len(named) == 1 else ""


@explains("no-more-batches")
def no_more_batches(failure: Failure) -> Hits:
    last = failure.raised_in
    known = last.endswith(("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py"))
    if not known and not NEXT_BATCH.search(failure.line or failure.surrounding):
        return
    if FIRST.search(failure.line):
        yield failure.hit(say("loader-without-batch"))
        return
    found = NEXT.search(failure.line)
    if found:
        yield failure.hit(say("named-iterator-ends", name=found["of"] or found["old"]))
    else:
        yield failure.hit(say("iterator-ends"))


@explains("epoch-without-batch")
def epoch_without_batch(failure: Failure) -> Hits:
    step = failure.groups["step"]
    if step == "0":
        yield failure.hit(say("trainer-without-batch"))
    else:
        yield failure.hit(say("trainer-stream-ends", step=step))


def _loop_that_alone_sets(code: Code, name: str) -> ast.For | None:
    """A loop over a loader in a function that sets a name nowhere else, and reads it behind the loop."""
    uses = [node for node in code.of(ast.Name) if node.id == name]
    for loop in code.of(ast.For):
        around, inside = code.tree.enclosing_function(loop), set(ast.walk(loop))
        of_loader = code.loops.is_over_loader(loop.iter) or LOADER_LIKE.search(
            ast.unparse(loop.iter)
        )
        here = [each for each in uses if code.tree.enclosing_function(each) is around]
        apart = [each.ctx for each in here if each not in inside]
        if around and of_loader and apart and all(isinstance(c, ast.Load) for c in apart):
            return loop
    return None
