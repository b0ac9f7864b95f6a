"""In evaluation mode a model is a function: the same input gives the same output."""

from __future__ import annotations

from typing import Any

from torch.overrides import TorchFunctionMode

from keng.run.probes.compare import SAME_SHAPES
from keng.run.probes.nested import part_of
from keng.run.probes.results import Outcome
from keng.run.probes.stage import Stage, furthest
from keng.run.probes.texts import text

DRAWS = {
    "rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "normal", "normal_", "uniform_",
    "bernoulli", "bernoulli_", "multinomial", "randperm", "exponential_", "poisson", "random_",
}  # fmt: skip


def repeat(stage: Stage) -> Outcome:
    """Another seed: dropout that is active in evaluation mode moves the output; sampling may."""
    signal = stage.moves_with_seed
    if signal <= 1:
        return Outcome("repeat", "repeat", "held", signal)
    called = _random_functions(stage)
    if "dropout" in called:
        return Outcome(
            "repeat", "repeat", "broken", signal, text("repeat-seen", output=text("output"))
        )
    names = ", ".join(f"`{name}`" for name in sorted(called)) or "?"
    return Outcome(
        "repeat", "repeat", "note", signal, text("repeat-note", output=text("output"), names=names)
    )


def state(stage: Stage) -> Outcome:
    """A second call on the same copy: what the first has left behind must not move the output."""
    again = stage.outputs(again=1)
    signal, path = furthest(stage.base_outputs, again, SAME_SHAPES)
    if signal <= 1:
        return Outcome("state", "state", "held", signal)
    return Outcome("state", "state", "broken", signal, text("state-seen", output=part_of(path)))


class RandomFunctions(TorchFunctionMode):
    """Collects the names of random functions that are called; dropout only where it is active."""

    def __init__(self) -> None:
        super().__init__()
        self.called: set[str] = set()

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if active_dropout(name, args, kwargs):
            self.called.add("dropout")
        elif name in DRAWS:
            self.called.add(name)
        return function(*args, **kwargs)


def active_dropout(name: str, args: Any, kwargs: Any) -> bool:
    if name == "scaled_dot_product_attention":
        return bool(kwargs.get("dropout_p") or (len(args) > 4 and args[4]))
    if "dropout" not in name:
        return False
    given = args[2] if len(args) > 2 and isinstance(args[2], bool) else True
    probability = kwargs.get("p", args[1] if len(args) > 1 else 0.5)
    return bool(kwargs.get("training", given) and probability)


def _random_functions(stage: Stage) -> set[str]:
    mode = RandomFunctions()

    def watched(model: Any, args: Any, kwargs: Any) -> Any:
        with mode:
            return model(*args, **kwargs)

    stage.run(observe=watched)
    return mode.called
