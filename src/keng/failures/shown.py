"""What the code shows that stands beside an error, or in the file that failed."""

from __future__ import annotations

import re

from keng.failures import Failure

MODEL = r"(?P<model>(?:self\.)?(?:my_?)?(?:model|net|network)(?:_ft)?)"
FREEZES = re.compile(
    rf"^\s{{0,20}}for \w+(?:, ?\w+)? in {MODEL}\.(?:named_)?parameters\(\):\s{{1,80}}"
    r"\w+\.(?:requires_grad = False|requires_grad_\(False\))(?P<rest>.{0,4000})",
    re.MULTILINE | re.DOTALL,
)
"""A loop over all parameters of the model that is to be trained."""

THAWS = re.compile(r"requires_grad = True|requires_grad_\((?:True)?\)|\.\w+ = (?:nn\.)?[A-Z]\w+\(")


PICKLED = re.compile(r"\btorch\.load\(|\.pkl\b|\bpre-?trained model\b", re.IGNORECASE)
"""What people write of a file that may hold a whole model."""


def met_by_a_pickle(failure: Failure) -> str:
    """Why an attribute may be missing of an object that came out of a file, where no code is shown."""
    if failure.place is not None or PICKLED.search(f"{failure.told}\n{failure.message}") is None:
        return ""
    return (
        ", as where a model that was pickled whole meets another version of its class: the code it was "
        "saved by, or a state dict"
    )


def frozen_whole(failure: Failure) -> str:
    """The model of which the code beside an error freezes all parameters, and none is set free behind."""
    found = FREEZES.search(_beside(failure))
    return found["model"] if found is not None and not THAWS.search(found["rest"]) else ""


def told_of_a_property(failure: Failure, kind: str, name: str) -> str:
    """Where what is said not to be there is a property of a class that is shown."""
    text = failure.code.text if failure.code is not None else _beside(failure)
    head = r"@(?:\w{1,40}\.)?(?:cached_)?property\s{1,80}def "
    if re.search(rf"{head}{re.escape(name)}\(self\b", text) is None:
        return ""
    says = f"`{name}` is a property of {kind}, and an AttributeError inside of it is told as this"
    return f"{says}: {kind}.{name}.fget(obj) shows what is missing there"


def never_set(failure: Failure, name: str) -> str:
    """What may be behind an attribute of a class of one's own of which nothing more is shown."""
    if re.search(rf"\.{re.escape(name)}\(", failure.line):
        return ": misspelt, of another version of the class, or a method of what wraps it elsewhere"
    return (
        ": its __init__ sets no such name (misspelt, under an `if`, or later), or the object comes whole "
        "from a file of other code"
    )


def never_kept(failure: Failure, kind: str, name: str) -> str:
    """Where the constructor of a module that is shown takes what is missing, and sets it nowhere."""
    text = failure.code.text if failure.code is not None else _beside(failure)
    head = rf"class {re.escape(kind)}\([\w., ]{{0,80}}Module\):"
    _, made, body = text.partition(found[0]) if (found := re.search(head, text)) else ("",) * 3
    whole = re.split(r"^class ", body, maxsplit=1, flags=re.MULTILINE)[0]
    takes = re.search(r"def __init__\((?P<takes>[^()]{0,600})\)", whole)
    if not made or takes is None or not re.search(rf"\b{re.escape(name)}\b", takes["takes"]):
        return ""
    kept = re.search(rf"self\.{re.escape(name)} {{0,4}}(?::[^=\n]{{1,40}})?=(?!=)", whole)
    return "" if kept else f", whose __init__ takes it and does not keep it: self.{name} = {name}"


def _beside(failure: Failure) -> str:
    """What stands around an error without a traceback; code right below it is read as of its message."""
    return f"{failure.around}\n{failure.message}" if not failure.frames else ""
