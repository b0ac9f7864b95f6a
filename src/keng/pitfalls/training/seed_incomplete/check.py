"""Source code: a seed is set for PyTorch, and random numbers come from elsewhere too, or the other way round."""

from __future__ import annotations

from keng.model import Hits
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


@finds
def drawn_without_a_seed(code: Code) -> Hits:
    seeded = any(code.calls_to("torch.manual_seed", "torch.random.manual_seed"))
    if not seeded or code.seeds_by_name():
        return
    for home, names in DRAWS.items():
        if any(code.calls_to(*SEEDS[home])):
            continue
        draws = code.calls_to(*(f"{home}.{name}" for name in names.split()))
        for call in sorted(draws, key=code.position)[:1]:
            name = code.text_of(call.func)
            yield code.hit(call, f"`{name}` does not follow `torch.manual_seed`: seed `{home}` too")


@finds
def all_but_torch(code: Code) -> Hits:
    others = code.seeds_by_name("random.seed", "numpy.random.seed")
    if others or not code.training_loops or any(code.calls_to(*SEEDS_OF_TORCH)):
        return
    pythons = {code.function_around(call) for call in code.calls_to("random.seed")}
    for call in code.calls_to("numpy.random.seed"):
        if code.function_around(call) in pythons:
            says = "no seed reaches the weights, dropout and the loader's order: `torch.manual_seed` too"
            yield code.hit(call, says)
