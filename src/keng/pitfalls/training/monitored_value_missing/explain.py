"""Error messages: the value that a trainer watches is never reported under that name."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

SHORT = {"valid": "val", "validation": "val", "eval": "val", "accuracy": "acc", "training": "train"}


@explains("never-logged")
def never_logged(failure: Failure) -> Hits:
    yield failure.hit(_unseen(failure.groups["name"], failure.groups.get("there") or ""))


def _unseen(name: str, there: str) -> Message:
    """Of a value that a trainer watches, and of those that it has, "['loss']"."""
    if name.endswith("eval_loss") and "eval_runtime" in there:
        return say("evaluation-without-loss", name=name)
    known = [other for other in re.findall(r"[\w/.-]{2,80}", there) if other != name]
    if near := next((other for other in known if _words(other) == _words(name)), ""):
        return say("other-spelling", name=name, near=near)
    held = re.match(r"(?:val|valid|eval|test|dev)(?=[_/])", name)
    if held and there and held[0] not in there:
        return say("no-evaluation", name=name, there=there)
    return (
        say("never-logged", name=name, there=there) if there else say("nothing-logged", name=name)
    )


def _words(name: str) -> set[str]:
    """ "Valid/Accuracy" and "val_acc" are made of the same."""
    return {SHORT.get(word, word) for word in re.split(r"[^a-z0-9]|_", name.lower()) if word}
