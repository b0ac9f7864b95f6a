"""A mapping plan on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable

from keng.ckpt.mapping import Move, Plan, Rule, Unmatched
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

KEYS = {"order": "in_order", "spelled": "spelled"}
"""The words for rules that have their own."""
SHOWN = 6
"""Entries of a kind that are named."""


def lines(plan: Plan, file: str, model: str, words: Words, width: int) -> list[Line]:
    every = len(plan.moves) + len(plan.missing)
    text = words("filled", n=len(plan.exact), all=every)
    made = [
        [Piece(file, "place"), Piece(" -> "), Piece(model, "place"), Piece(f"{words.colon}{text}")]
    ]
    if plan.nesting:
        keys = "".join(f'["{key}"]' for key in plan.nesting)
        made.append(_row(words("inside"), f"{words.colon}{keys}"))
    made += [line for rule in _together(plan.rules) for line in _rule(rule, words, width)]
    for how in dict.fromkeys(move.how for move in plan.moves if move.how != "copy"):
        names = [_made(move) for move in plan.moves if move.how == how]
        made += named(words(f"how_{how}"), names, words, width)
    if plan.variant:
        made += _text("error", words("variant", sizes=plan.variant), width)
    for why in dict.fromkeys(each.why for each in plan.missing):
        skipped = [each for each in plan.missing if each.why == why]
        made += named(words(f"why_{why}"), _described(skipped), words, width)
    alone = [each for each in plan.unused if each.model is None]
    for key, lora in (("unused", False), ("adapter", True)):
        rest = [each for each in alone if (each.why == "lora") == lora]
        made += named(words(key), _described(rest), words, width) if rest else []
    if plan.rivals:
        made += _text("warning", choice(plan, words), width)
    return made


def _made(move: Move) -> str:
    """What the entry of the model is made of, where it is no entry of the file as a whole."""
    if move.how == "split":
        start, stop, _ = move.rows
        return f"{move.target} = {move.source}[{':, ' * move.turned}{start}:{stop}]"
    if move.how == "join":
        return f"{move.target} = {' + '.join((move.source, *move.more))}"
    return f"{move.target} {list(move.shape or ())}"


def choice(plan: Plan, words: Words) -> str:
    """What fits as well: another part of the file, or another part of the model."""
    key = "choice_of_layers" if any(" -> " in rival for rival in plan.rivals) else "choice"
    return words(key, names=words.comma.join(plan.rivals))


def _together(rules: Iterable[Rule]) -> list[Rule]:
    """Rules that differ by the number of the layer alone are one, with a `*` for it."""
    groups: dict[Rule, list[Rule]] = {}
    for rule in rules:
        old, new = (re.findall(r"\d+(?=\.)", each) for each in (rule.old, rule.new))
        general = (
            rule if old != new else rule._replace(old=_starred(rule.old), new=_starred(rule.new))
        )
        groups.setdefault(general._replace(times=0), []).append(rule)
    return [
        general._replace(times=sum(each.times for each in many)) if len(many) > 1 else many[0]
        for general, many in groups.items()
    ]


def _starred(prefix: str) -> str:
    return re.sub(r"\d+(?=\.)", "*", prefix)


def _rule(rule: Rule, words: Words, width: int) -> list[Line]:
    key = KEYS.get(rule.kind, "renamed")
    if rule.kind == "order" and rule.old == rule.new:
        key = "other_numbers"
    if rule.kind == "wrapper":
        key = "unwrapped" if rule.old else "wrapped"
    elif key == "renamed" and not (rule.old and rule.new):
        key = "cut_off" if rule.old else "put_before"
    text = words(key, old=rule.old, new=rule.new, n=rule.times)
    doubt = words("by_elimination" if rule.kind == "only" else "by_shape")
    return paragraph(text if rule.sure else text + doubt, width, [Piece("  ")])


def _described(skipped: Iterable[Unmatched]) -> list[str]:
    return [_one(each) for each in skipped]


def _one(each: Unmatched) -> str:
    shapes = [str(list(shape)) for shape in (each.file, each.model) if shape is not None]
    return " ".join([each.name, " -> ".join(shapes)]).strip()


def named(head: str, names: list[str], words: Words, width: int) -> list[Line]:
    """How many there are of a kind, and the first of them."""
    shown = words.comma.join(names[:SHOWN])
    more = words("and_more", len(names) - SHOWN) if len(names) > SHOWN else ""
    first = [Piece(f"  {head} ({len(names)})", "name"), Piece(words.colon)]
    return paragraph(shown + more, width, first)


def _text(style: str, text: str, width: int) -> list[Line]:
    return paragraph(text, width, [Piece("  ")], style)


def _row(head: str, text: str) -> Line:
    return [Piece(f"  {head}", "name"), Piece(text)]
