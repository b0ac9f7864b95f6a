"""What the state that a recurrent layer was given tells of where it came from."""

from __future__ import annotations

import re

from keng.failures import Failure


def length_first(failure: Failure, state: str, batch: str) -> bool:
    """Whether the input has its batch in front, which the layer takes for the length."""
    given, layer = failure.given, failure.live.layer
    sizes = tuple(map(str, given.shape[:2])) if given is not None else ()
    return sizes == (state, batch) and layer is not None and not layer.settings["batch_first"]


def is_row_of_one_state(failure: Failure, batch: str) -> bool:
    """Whether what the cell of an LSTM takes for the batch of its state is its hidden_size: a tensor alone
    was taken apart into rows, as the pair of states is."""
    made = rf"LSTMCell\([^()\n]{{1,60}},\s?(?:hidden_size=)?{re.escape(batch)}\b"
    return re.search(made, f"{failure.message}\n{failure.told}") is not None
