"""What a condition that is made of a tensor with several values was to ask, and what is to be done with such
values where a number is wanted, as the line tells."""

from __future__ import annotations

import re

COMPARED = r"(?:[<>!=]=|[<>])"
NAME = r"[\w.\[\]]{1,60}"
ALL = ".all() or .any()"
KINDS = (
    (r"\bis(?:finite|nan|inf)\(", f"{ALL}, and .mean() first of a loss for each sample"),
    (
        rf"\b(?:if|while|assert) (?:not )?{NAME} (?:not )?in \w|\.(?:index|remove)\(\w",
        "lists are searched by ==, so any(x is each for each in them)",
    ),
    (
        rf"= {NAME} and {NAME} or ",
        "`a and b or c` asks for the truth of b: `b if a else c`",
    ),
    (
        r"(?<![\w.])(?:max|min|sorted)\(",
        "Python's max, min and sorted ask for a > b, so torch.maximum(a, b), or .item() of each",
    ),
    (
        rf"{COMPARED}[^\n]{{1,80}} (?:and|or) |[<>]=? ?{NAME} ?[<>]|\bnot {NAME} ?{COMPARED}",
        f"& and | join masks, each in parentheses, and ~ turns one round; {ALL} asks of the whole",
    ),
    (COMPARED, f"{ALL} says which is meant, or torch.equal(a, b)"),
    (
        rf"\b(?:if|while|not) {NAME}(?::| (?:and|or|else)\b)| or {NAME}$",
        f"x is not None where it may be missing, {ALL} where its values are meant",
    ),
)


def asked_of_a_tensor(line: str) -> str:
    """What to ask in its place: by the first kind of condition that the line shows."""
    told = f"{ALL} says which is meant"
    return next((cure for pattern, cure in KINDS if re.search(pattern, line)), told)


ONE_NUMBER = re.compile(r"\.item\(\)|\b(?:int|float)\((?!\))")


def taken_for_numbers(line: str) -> str:
    """What to do with several values where a number, or numbers, are wanted."""
    if ONE_NUMBER.search(line):
        says = (
            "several values where one number is wanted, as of a batch, or where the index is a list"
        )
        return f"{says}: one index, .mean(), or .tolist()"
    says = "tensors of more than one element are taken for numbers"
    return f"{says}: torch.stack joins a list of them, .tolist() gives numbers"
