"""Error messages: a recurrent layer gets an input or a state of another size."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ONE_FOR_TWO = "an LSTM has two states: `lstm(x, (h, c))`, and one tensor is given"

EACH = "make it for each batch, or leave it out"


@explains("state-of-another-size")
def state_of_another_size(failure: Failure) -> Hits:
    wants, came = (failure.groups[name].split(", ") for name in ("wants", "came"))
    if wants[1:] == came and "hidden[0]" in failure.message:
        says = f"an LSTM takes two states, each of ({', '.join(wants)})"
        cure = (
            "(h, c), where one tensor is given, as of a GRU, or two without their first dimension"
        )
    elif len(wants) == len(came) == 3:
        says, cure = _states_apart(failure, wants, came)
    else:
        says = f"the state has the shape ({', '.join(came)}), and ({', '.join(wants)}) is wanted"
        cure = EACH
    yield failure.hit(f"{says}: {cure}")


@explains("cell-of-another-size")
def cell_of_another_size(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"the state of the cell has {came} features, and hidden_size is {wants}"
    if failure.groups["what"] == "input":
        says = f"{failure.layer} takes {wants} features, but gets {came}: input_size={came}"
        if wants == "1":
            says += ", or, where these are steps of one number each, x.unsqueeze(-1)"
        if came == "1":
            says += ", or, where the features stand as steps of one, x.transpose(-2, -1)"
    yield failure.hit(says)


@explains("one-state-for-two")
def one_state_for_two(failure: Failure) -> Hits:
    if failure.groups.get("sure") or failure.raised_in.endswith("rnn.py"):
        yield failure.hit(ONE_FOR_TWO)


@explains("state-of-another-batch")
def state_of_another_batch(failure: Failure) -> Hits:
    given, state = failure.groups["input"], failure.groups["state"]
    other = f"the state is for a batch of {state}, the input of {given}: make it for each batch"
    if "hidden[0]" in failure.message:
        other += ", or, where an LSTM gets one tensor, the pair (h, c)"
    yield failure.hit(ONE_FOR_TWO if _is_row_of_one_state(failure, state) else other)


@explains("state-of-other-dimensions")
def state_of_other_dimensions(failure: Failure) -> Hits:
    given, state = failure.groups["input"], failure.groups["state"]
    pair = ", as the pair (h, c)" if "and cx" in failure.message else ""
    yield failure.hit(
        f"the input has {given} dimensions and the state {state}: both with a batch, or both without{pair}"
    )


@explains("message-that-fails")
def message_that_fails(failure: Failure) -> Hits:
    if any("check_forward_args" in frame.text for frame in failure.frames):
        yield failure.hit(say("input-or-state-has"))


def _states_apart(failure: Failure, wants: Sequence[str], came: Sequence[str]) -> tuple[str, str]:
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
    if _length_first(failure, state, batch):
        return f"{says}, its second dimension", "batch_first=True"
    if int(batch) < int(state):
        return f"{says}, as a last batch that is smaller (drop_last=True)", EACH
    return says, f"{EACH}; or batch_first=True, where {batch} is the length"


def _length_first(failure: Failure, state: str, batch: str) -> bool:
    """Whether the input has its batch in front, which the layer takes for the length."""
    given, layer = failure.input, failure.live.layer
    sizes = tuple(map(str, given.shape[:2])) if given is not None else ()
    return sizes == (state, batch) and layer is not None and not layer.settings["batch_first"]


def _of_directions(wants: int, came: int, shape: Sequence[str]) -> str:
    if came == 2 * wants:
        return f"as of an encoder with two directions, h[::2], or with more layers, h[-{wants}:]"
    both = ", twice as many with bidirectional=True" if wants == 2 * came else ""
    return f"torch.zeros({', '.join(shape)}){both}"


def _is_row_of_one_state(failure: Failure, batch: str) -> bool:
    """Whether what the cell of an LSTM takes for the batch of its state is its hidden_size: a tensor alone
    was taken apart into rows, as the pair of states is."""
    made = rf"LSTMCell\([^()\n]{{1,60}},\s?(?:hidden_size=)?{re.escape(batch)}\b"
    return re.search(made, f"{failure.message}\n{failure.context}") is not None
