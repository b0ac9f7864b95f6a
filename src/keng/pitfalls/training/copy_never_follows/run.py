"""A running program: a copy that is to follow the weights stays what it was."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import OwnState, StillCopy


@watches("copy.still")
def stays_what_it_was(seen: StillCopy) -> Hits:
    says = f"`{seen.module}`, a copy of `{seen.of}`, has not moved in {seen.steps} steps that moved that"
    why = (
        f"written to {seen.writes} times, with what it holds"
        if seen.writes
        else "nothing writes to it"
    )
    yield seen.hit(f"{says}: {why}", steps=seen.steps, writes=seen.writes)


@watches("state.own")
def loaded_from_what_it_is(seen: OwnState) -> Hits:
    says = f"`{seen.module}` is given its own state, again and again"
    yield seen.hit(f"{says}: what is to follow it is no copy", times=seen.times)
