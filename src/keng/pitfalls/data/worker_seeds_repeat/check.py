"""Source code: a generator of random numbers on the dataset is copied into each worker."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.data._shared import forked_loaders, kept_for_samples, minds_workers
from keng.rules import finds
from keng.source import Code

GENERATORS = frozenset(
    [
        *("numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator"),
        *("random.Random", "torch.Generator"),
    ]
)


@finds
def generator_copied(code: Code) -> Hits:
    for owner in code.loaders.datasets():
        for name, call in kept_for_samples(code, owner):
            if not _makes_random(code, call) or minds_workers(code, owner, name):
                continue
            if forked_loaders(code, owner):
                yield code.hit(call, say("each-worker-copies-all", name=name))


def _makes_random(code: Code, call: ast.Call) -> bool:
    """Whether a call makes a generator of random numbers, seeded or not."""
    inner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(inner, ast.Call) and code.names.resolve(inner.func) == "torch.Generator":
        return True
    return code.names.resolve(call.func) in GENERATORS
