"""A running program: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.optimizer_coverage import IdleOptimizer, UnmovedParameters


@watches(UnmovedParameters)
def left_out_of_every_optimizer(fact: UnmovedParameters) -> Hits:
    # Of a model that no optimizer has any part of, the gradients may be a mere by-product.
    if not any(p.partly for p in fact.registered) and not fact.stale:
        return
    names = shorten(", ".join(f"`{p.name}`" for p in fact.registered), 80, placeholder=" ...")
    values = {"names": names, "optimizer": fact.optimizer, "stale": fact.stale}
    replaced = say("held-by-none-others-stale", **values)
    layers = _layers([p.name for p in fact.registered])
    says = replaced if fact.stale else say("layers-held-by-none", names=names, layers=layers)
    yield fact.hit(says, where=fact.where, parameters=len(fact.registered), stale=fact.stale)


def _layers(names: list[str]) -> str:
    """The parameters of the modules that have them, as an argument of `add_param_group`: one that the program
    has, or a list over the first two."""
    owners = list(dict.fromkeys(name.rpartition(".")[0] or name for name in names))
    plain = [owner if owner in names else f"{owner}.parameters()" for owner in owners]
    if len(plain) == 1:
        return plain[0] if plain[0].endswith(")") else f"[{plain[0]}]"
    rest = ", ..." if len(plain) > 2 else ""
    return f"[{', '.join(each if each in names else f'*{each}' for each in plain[:2])}{rest}]"


@watches(IdleOptimizer)
def optimizer_of_another_model(fact: IdleOptimizer) -> Hits:
    counts = {"steps": fact.steps, "count": fact.count}
    says = say("never-had-gradient", optimizer=fact.optimizer, **counts)
    yield fact.hit(says, parameters=fact.count)
