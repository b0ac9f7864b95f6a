"""Error messages: the value that a trainer watches is never reported under that name."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SHORT = {"valid": "val", "validation": "val", "eval": "val", "accuracy": "acc", "training": "train"}


@explains("never-logged")
def never_logged(failure: Failure) -> Hits:
    name, there = failure.groups["name"], failure.groups.get("there")
    known = f", and these are: {there}" if there else ""
    yield failure.hit(f"`{name}` is watched and never logged{known}; {_unseen(name, there or '')}")


@explains("nothing-named")
def nothing_named(failure: Failure) -> Hits:
    yield failure.hit(say("reducelronplateau-follows-value-none"))


@explains("nothing-to-stop-by")
def nothing_to_stop_by(failure: Failure) -> Hits:
    yield failure.hit(say("early-stopping-needs-value"))


def _unseen(name: str, there: str) -> str:
    """Of a value that a trainer watches, and of those that it has, "['loss']"."""
    if name.endswith("eval_loss") and "eval_runtime" in there:
        says = "the evaluation gives no loss, as the model gets no labels in it"
        return f"{says}: label_names=['labels'], or `labels` in the batch"
    known = [other for other in re.findall(r"[\w/.-]{2,80}", there) if other != name]
    if near := next((other for other in known if _words(other) == _words(name)), ""):
        return f"it is `{near}` there: one name for both"
    held = re.match(r"(?:val|valid|eval|test|dev)(?=[_/])", name)
    if held and there and held[0] not in there:
        says = "nothing of an evaluation is there: it was not run before, has no loader"
        return f"{says}, or logs by another name"
    return "self.log or compute_metrics gives it, under that name"


def _words(name: str) -> set[str]:
    """ "Valid/Accuracy" and "val_acc" are made of the same."""
    return {SHORT.get(word, word) for word in re.split(r"[^a-z0-9]|_", name.lower()) if word}
