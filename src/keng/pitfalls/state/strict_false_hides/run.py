"""A running program: what `load_state_dict(strict=False)` did not load is not looked at."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoadedState


@watches("state.loaded")
def little_was_loaded(state: LoadedState) -> Hits:
    if state.strict or not state.ignored or not state.unexpected or 2 * state.loaded > state.total:
        return
    says = f"{state.loaded} of {state.total} tensors of `{state.module}` were loaded"
    says += f"; {state.unexpected} names of the state are unknown to it, such as `{state.example}`"
    yield state.hit(says, loaded=state.loaded, total=state.total)
