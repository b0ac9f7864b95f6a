"""Source code: a seed is set for PyTorch, and random numbers come from elsewhere too, or the other way round."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

DRAWS = {
    "random": "random randint randrange choice choices sample shuffle uniform gauss normalvariate",
    "numpy.random": "rand randn randint random choice permutation shuffle uniform normal",
}


SEEDS_OF_TORCH = tuple(
    f"torch.{name}"
    for name in "manual_seed random.manual_seed seed set_rng_state random.set_rng_state cuda.manual_seed cuda.manual_seed_all".split()
)


SEEDS = {
    "random": ("random.seed",),
    "numpy.random": ("numpy.random.seed", "numpy.random.set_state"),
}


@finds(mentions=["manual_seed"])
def drawn_without_a_seed(code: Code) -> Hits:
    seeded = any(code.calls.calls_to("torch.manual_seed", "torch.random.manual_seed"))
    if not seeded or _seeds_by_name(code):
        return
    for home, names in DRAWS.items():
        if any(code.calls.calls_to(*SEEDS[home])):
            continue
        draws = code.calls.calls_to(*(f"{home}.{name}" for name in names.split()))
        calls = [call for call in draws if not _is_the_seed(code, call)]
        for call in sorted(calls, key=code.tree.position)[:1]:
            name = code.text_of(call.func)
            yield code.hit(call, say("does-not-follow-seed", name=name, home=home))


def _is_the_seed(code: Code, call: ast.Call) -> bool:
    """Whether a number is drawn to be the seed itself, which is meant to differ from run to run."""
    above = code.tree.parent[call]
    targets = above.targets if isinstance(above, ast.Assign) else []
    seeds = {
        code.text_of(arg) for each in code.calls.calls_to(*SEEDS_OF_TORCH) for arg in each.args
    }
    return any(code.text_of(target) in seeds for target in targets)


@finds(mentions=["numpy.random.seed"])
def all_but_torch(code: Code) -> Hits:
    if any(code.calls.calls_to(*SEEDS_OF_TORCH)) or not code.loops.training:
        return
    if _seeds_by_name(code, "random.seed", "numpy.random.seed"):
        return
    pythons = {code.tree.enclosing_function(call) for call in code.calls.calls_to("random.seed")}
    for call in code.calls.calls_to("numpy.random.seed"):
        if code.tree.enclosing_function(call) in pythons:
            says = say("no-seed-reaches-weights")
            yield code.hit(call, says)


def _is_of_this_file(code: Code, call: ast.Call) -> bool:
    made = code.types.definition(call.func)
    return made is not None and made.tree is code.tree


def _seeds_by_name(code: Code, *apart: str) -> bool:
    """Whether something that the file calls or imports is named for setting seeds, torch's own
    `manual_seed` and what is named apart."""
    for name, calls in code.calls.calls_by_name.items():
        sets = "seed" in name and not name.startswith("manual_seed")
        if sets and any(_seeds_more(code, call, apart) for call in calls):
            return True
    return any(
        "seed" in alias.name and not alias.name.startswith("manual_seed")
        for node in code.of(ast.ImportFrom)
        for alias in node.names
    )


def _seeds_more(code: Code, call: ast.Call, apart: tuple[str, ...]) -> bool:
    """Whether a call may seed what `torch.manual_seed` does not: that of a library, not named apart."""
    dotted = code.names.resolve(call.func)
    if "manual_seed" in dotted or dotted in apart:
        return False
    return not _is_of_this_file(code, call)
