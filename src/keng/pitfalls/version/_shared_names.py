"""What several rules of this group say of a name that was replaced or taken away."""

from __future__ import annotations

from keng.model import Message, say
from keng.tables.libraries import Change
from keng.tables.removed_symbols import Old


def told_of_old(old: Old, name: str) -> Message:
    """A name that has been replaced, as a program or a message has it."""
    if old.now == "-":
        return say("name-did-nothing", name=name, removed=old.removed)
    now = as_code(old.shown)
    note = _note(old.note) if old.note else ""
    if old.removed and note:
        return say("name-removed-noted", name=name, removed=old.removed, now=now, note=note)
    if old.removed:
        return say("name-removed", name=name, removed=old.removed, now=now)
    if note:
        return say("name-outdated-noted", name=name, since=old.since, now=now, note=note)
    return say("name-outdated", name=name, since=old.since, now=now)


def as_code(names: str) -> str:
    return "`" + names.replace(" / ", "` / `") + "`"


def told_of_version(change: Change, what: str, asker: str) -> Message:
    """A name or argument that some versions of torch have; `asker` is the package that asks for it, if an
    installed one does."""
    came, gone = change.came, change.gone
    if came and gone:
        if asker:
            return say("only-between-asked", what=what, came=came, gone=gone, asker=asker)
        return say("only-between", what=what, came=came, gone=gone)
    if came:
        if asker:
            return say("came-later-asked", what=what, came=came, asker=asker)
        return say("came-later", what=what, came=came)
    if asker:
        return say("left-torch-asked", what=what, gone=gone, asker=asker)
    return say("left-torch", what=what, gone=gone)


def _note(name: str) -> Message:
    notes = (
        say("reads-lower-triangle"),
        say("gives-lower-triangle"),
        say("gives-complex"),
        say("takes-complex"),
        say("matrix-first"),
        say("v-transposed"),
        say("end-left-out"),
        say("no-pivot"),
        say("list-of-backends"),
        say("cpp-not-c"),
        say("one-process-a-card"),
    )
    return next(note for note in notes if note.id == name)
