"""A plan in a sentence and as a Python expression, for an explanation."""

from __future__ import annotations

from collections.abc import Iterator

from keng._util.texts import listed, sentence
from keng.ckpt.mapping.plan import Move, Plan, Rule
from keng.model import Message

NAMED = 3
"""Entries of the model that are named where nothing fills them."""


def in_words(plan: Plan) -> Message:
    """ "after removing `module.` from 122 names, all 122 entries fit" """
    says = _fit(plan)
    steps = [*map(_step, plan.rules), *_fused(plan)]
    if steps:
        says = sentence("plan_with_steps", steps=listed(steps), fit=says)
    if plan.nesting:
        keys = "".join(f'["{key}"]' for key in plan.nesting)
        says = sentence("plan_inside", keys=keys, fit=says)
    adapter = sum(each.why == "lora" for each in plan.unused)
    return sentence("plan_without_adapter", fit=says, n=adapter) if adapter else says


def _fit(plan: Plan) -> Message:
    """How many entries of the model the file fills, and those that it does not."""
    every = len(plan.moves) + len(plan.missing)
    unlike = [each.name for each in plan.lacking]
    unlike += [move.target for move in plan.moves if move not in plan.exact]
    if not unlike:
        return sentence("plan_all_fit", n=every)
    names, more = ", ".join(f"`{name}`" for name in unlike[:NAMED]), len(unlike) - NAMED
    values = {"fit": len(plan.exact), "every": every, "names": names}
    return sentence(
        "plan_some_fit", **values, more=sentence("and_n_more", n=more) if more > 0 else ""
    )


def _fused(plan: Plan) -> Iterator[Message]:
    if plan.split:
        yield sentence("plan_split", n=plan.split)
    if plan.joined:
        yield sentence("plan_joined", n=plan.joined)


def _step(rule: Rule) -> Message:
    dot = "." if rule.kind == "wrapper" else ""
    old, new = rule.old and rule.old + dot, rule.new and rule.new + dot
    if rule.kind in ("order", "spelled"):
        return sentence(f"plan_{rule.kind}", old=old, new=new, n=rule.times)
    if old and new:
        return sentence("plan_replace", old=old, new=new, n=rule.times)
    if rule.kind == "wrapper":
        return sentence("plan_remove" if old else "plan_insert", part=old or new, n=rule.times)
    return sentence(
        "plan_remove_prefix" if old else "plan_add_prefix", part=old or new, n=rule.times
    )


def expression(plan: Plan, state: str) -> str:
    """What the model loads, of what the program calls its state dict; empty where one expression does
    not make it."""
    inside = state + "".join(f'["{key}"]' for key in plan.nesting)
    left = [each for each in (*plan.unused, *plan.lacking) if each.why != "counter"]
    if left or any(move.how != "copy" for move in plan.moves):
        return ""
    if all(move.source == move.target for move in plan.moves):
        return inside if plan.nesting else ""
    change = next((change for change in _changes(plan) if _makes(change, plan.moves)), None)
    return f"{{{_name(*change)}: value for key, value in {inside}.items()}}" if change else ""


def _changes(plan: Plan) -> Iterator[tuple[str, str]]:
    """Beginnings of names, and what the model has in their place."""
    for rule in plan.rules:
        end = "." if rule.kind == "wrapper" else ""
        yield rule.old and rule.old + end, rule.new and rule.new + end


def _makes(change: tuple[str, str], moves: tuple[Move, ...]) -> bool:
    return all(_changed(move.source, *change) == move.target for move in moves)


def _changed(name: str, old: str, new: str) -> str:
    return new + name.removeprefix(old) if name.startswith(old) else name


def _name(old: str, new: str) -> str:
    if not old or not new:
        return f'key.removeprefix("{old}")' if old else f'"{new}" + key'
    return f'"{new}" + key.removeprefix("{old}") if key.startswith("{old}") else key'
