"""What the state that a recurrent layer was given tells of where it came from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.failure import Failure

EACH = "make it for each batch, or leave it out"


def length_first(failure: Failure, state: str, batch: str) -> bool:
    """Whether the input has its batch in front, which the layer takes for the length."""
    given, layer = failure.given, failure.live.layer
    sizes = tuple(map(str, given.shape[:2])) if given is not None else ()
    return sizes == (state, batch) and layer is not None and not layer.settings["batch_first"]


def states_apart(failure: Failure, wants: Sequence[str], came: Sequence[str]) -> tuple[str, str]:
    """How a state of three dimensions differs from what is wanted, and what to do."""
    says = f"the state has the shape ({', '.join(came)}), and ({', '.join(wants)}) is wanted"
    there = {n for n in range(3) if wants[n] != came[n]}
    if there == {1}:
        return _of_another_batch(failure, came[1], wants[1])
    if there == {0}:
        same = [o.name for o in failure.live.operands if [*map(str, o.shape)] == [*came]]
        what = f"`{same[0]}`" if same else "the state"
        says = f"{what} has {came[0]} for layers times directions, {failure.layer} {wants[0]}"
        return says, _of_directions(int(wants[0]), int(came[0]), wants)
    if there == {2}:
        cure = "one hidden_size for what gives the state and what takes it, or"
        return says, f"{cure} nn.Linear({came[2]}, {wants[2]}) between them"
    if [came[1], came[0], came[2]] == [*wants]:
        return (
            says,
            "the batch comes second in a state, whatever batch_first says: h.transpose(0, 1).contiguous()",
        )
    if wants[1] in came[:2] and there == {0, 1, 2}:
        return (
            says,
            "this looks like an encoder's output, and the state is the second thing that it returns",
        )
    return says, EACH


def _of_another_batch(failure: Failure, state: str, batch: str) -> tuple[str, str]:
    says = f"the state is for a batch of {state}, the input of {batch}"
    if length_first(failure, state, batch):
        return f"{says}, its second dimension", "batch_first=True"
    if int(batch) < int(state):
        return f"{says}, as a last batch that is smaller (drop_last=True)", EACH
    return says, f"{EACH}; or batch_first=True, where {batch} is the length"


def _of_directions(wants: int, came: int, shape: Sequence[str]) -> str:
    if came == 2 * wants:
        return f"as of an encoder with two directions, h[::2], or with more layers, h[-{wants}:]"
    both = ", twice as many with bidirectional=True" if wants == 2 * came else ""
    return f"torch.zeros({', '.join(shape)}){both}"


def is_row_of_one_state(failure: Failure, batch: str) -> bool:
    """Whether what the cell of an LSTM takes for the batch of its state is its hidden_size: a tensor alone
    was taken apart into rows, as the pair of states is."""
    made = rf"LSTMCell\([^()\n]{{1,60}},\s?(?:hidden_size=)?{re.escape(batch)}\b"
    return re.search(made, f"{failure.message}\n{failure.told}") is not None
