"""What the code shows that stands beside an error, or in the file that failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

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


MOVES = re.compile(r"\.(?:cuda\(|to\((?:\w{1,20}\.)?(?:device|[\"']cuda|torch\.device))")
STATED = re.compile(
    r"(?P<indent>[ \t>.]{0,40})(?P<model>\w{1,40})(?P<part>(?:\.\w{1,40}|\[-?\d{1,3}\]){0,4})"
    r"(?: = (?P<value>.{1,300})|\.(?:cuda|to)\()"
)
LAYER = re.compile(r"(?:torch\.)?nn\.[A-Z]\w{1,30}\(")


def set_after_the_move(failure: Failure) -> tuple[str, str]:
    """The layer that the code beside an error, or the file that failed, gives to a model which it has moved
    before and moves no more behind, and the model: "model.fc", "model"."""
    text = failure.code.text if failure.code is not None else f"{failure.told}\n{failure.message}"
    moved: dict[str, int] = {}
    behind: dict[str, str] = {}
    for stated in filter(None, map(STATED.match, text.splitlines())):
        model, part, value = stated["model"], stated["part"], stated["value"] or ""
        moves = not value or MOVES.search(value) is not None
        inner = len(stated["indent"]) < moved.get(model, 1000)  # of another function, perhaps
        if not part:
            moved.pop(model, None)
            behind.pop(model, None)
            if moves:
                moved[model] = len(stated["indent"])
        elif LAYER.match(value) and not (inner or moves or "device" in value):
            behind[model] = f"{model}{part}"
    return next(((layer, model) for model, layer in behind.items()), ("", ""))


HELD = {
    "dict": 'a dict that holds the {what}, as Lightning takes one: ask its entry, ["{what}"]',
    "list": "a list of several: ask each by itself",
    "tuple": "a tuple: ask its part, or take the comma at the end away",
    "str": "its name alone: make it of that, as torch.optim.SGD(...) is made",
}


def held_as(failure: Failure) -> str:
    """What an optimizer or a scheduler that is asked for something is instead; nothing of what is another."""
    kind, name = failure.groups["kind"], failure.groups["name"]
    line = failure.line or f"{failure.message}\n{failure.around}"
    asked = re.search(
        rf"\b((?:self\.)?(?:\w{{0,40}}(?:optim|sched)\w{{0,40}}|opt))\.{name}\b", line
    )
    if asked is None:
        return ""
    what = "scheduler" if "sched" in asked[1] else "optimizer"
    return f"`{asked[1]}` is {HELD[kind].format(what=what)}"


def told_of_a_property(failure: Failure, kind: str, name: str) -> str:
    """Where what is said not to be there is a property of a class that is shown."""
    text = failure.code.text if failure.code is not None else _beside(failure)
    head = r"@(?:\w{1,40}\.)?(?:cached_)?property\s{1,80}def "
    if re.search(rf"{head}{re.escape(name)}\(self\b", text) is None:
        return ""
    says = f"`{name}` is a property of {kind}, and an AttributeError inside of it is told as this"
    return f"{says}: {kind}.{name}.fget(obj) shows what is missing there"


MODELS = re.compile(r"(?:Model|Module|Net|Network|Classifier|Transformer|Encoder|Decoder)$")


def taken_for_a_file(failure: Failure, kind: str, name: str) -> str:
    """Where a class is asked of a model, by a name that was a file's: `model.Classifier(...)`."""
    if not re.match(r"[A-Z]\w*[a-z]", name) or not MODELS.search(kind):
        return ""
    text = failure.line or f"{failure.around}\n{failure.told}\n{failure.message}"
    asked = re.search(rf"(?<![.\w])(?P<name>[a-z]\w{{0,40}})\.{re.escape(name)}\(", text)
    ours = re.search("torch|lightning", f"{text}\n{failure.raised_in}", re.IGNORECASE)
    if asked is None or asked["name"] == "self" or ours is None:
        return ""
    return (
        f": `{asked['name']}` is a model here, and was to be the file that has the class `{name}`: "
        f"from ... import {name}, and another name for one of the two"
    )


def never_set(failure: Failure, name: str) -> str:
    """What may be behind an attribute of a class of one's own of which nothing more is shown."""
    if re.search(rf"(?<!self)\.{re.escape(name)}\(", failure.line):
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


INSTALLED = re.compile(r"(?:site|dist)-packages/(?!torch/)(\w+)")


def asker(failure: Failure, word: str) -> str:
    """The installed package that asks for it; nothing where that is code of the user's own."""
    for frame in reversed(failure.frames):
        found = INSTALLED.search(frame.posix)
        if frame.user or (found is not None and word not in found[1]):
            return "" if found is None else found[1].replace("pytorch_l", "pytorch-l")
    return ""


def spoken_of(failure: Failure, word: str) -> bool:
    """Whether the text, or the file that it names, speaks of the library: others have a Trainer too."""
    code = failure.code.text if failure.code is not None else ""
    return failure.shows(word) or word in code
