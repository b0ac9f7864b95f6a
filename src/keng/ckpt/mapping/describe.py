"""A plan in a sentence, and as an expression of Python: what an explanation has room for."""

from __future__ import annotations

from collections.abc import Iterator

from keng.ckpt.mapping.plan import Move, Plan, Rule

NAMED = 3
"""Entries of the model that are named where nothing fills them."""


def in_words(plan: Plan) -> str:
    """ "with `module.` taken out of 122 names, all 122 entries fit" """
    keys = "".join(f'["{key}"]' for key in plan.nesting)
    head = f"the weights are in {keys}: " if keys else ""
    steps = [*map(_step, plan.rules), *_fused(plan)]
    head += f"with {', '.join(steps)}, " if steps else ""
    every, kept = len(plan.moves) + len(plan.missing), [each.name for each in plan.lacking]
    adapter = sum(each.why == "lora" for each in plan.unused)
    end = f"; {adapter} of a LoRA adapter are left out, for PEFT to merge" if adapter else ""
    if not kept and len(plan.exact) == len(plan.moves):
        return f"{head}all {every} entries fit{end}"
    unlike = [*kept, *(move.target for move in plan.moves if move not in plan.exact)]
    named = ", ".join(f"`{name}`" for name in unlike[:NAMED])
    more = f" and {len(unlike) - NAMED} more" if len(unlike) > NAMED else ""
    return f"{head}{len(plan.exact)} of {every} entries fit, all but {named}{more}{end}"


def _fused(plan: Plan) -> Iterator[str]:
    for count, what in ((plan.split, "taken apart"), (plan.joined, "put together")):
        if count:
            yield f"{count} fused {'entry' if count == 1 else 'entries'} {what}"


def _step(rule: Rule) -> str:
    count = f"{rule.times} name{'s' if rule.times > 1 else ''}"
    if rule.kind == "wrapper":
        return (
            f"`{rule.old}.` taken out of {count}" if rule.old else f"`{rule.new}.` put into {count}"
        )
    if rule.kind == "order":
        return f"`{rule.old}*.` made `{rule.new}*.` in {count}, layer by layer in their order"
    if rule.kind == "spelled":
        return f"other signs between the parts of {count}"
    if rule.old and rule.new:
        return f"`{rule.old}` made `{rule.new}` in {count}"
    return f"`{rule.old}` cut off {count}" if rule.old else f"`{rule.new}` put before {count}"


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
