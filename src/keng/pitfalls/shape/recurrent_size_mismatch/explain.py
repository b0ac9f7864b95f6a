"""Error messages: a recurrent layer gets an input or a state of another size."""

from __future__ import annotations

from keng.explain.advice.states import EACH, is_row_of_one_state, states_apart
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

ONE_FOR_TWO = "an LSTM has two states: `lstm(x, (h, c))`, and one tensor is given"


@explains("state-of-another-size")
def state_of_another_size(failure: Failure) -> Hits:
    wants, came = (failure.groups[name].split(", ") for name in ("wants", "came"))
    if wants[1:] == came and "hidden[0]" in failure.message:
        says = f"an LSTM takes two states, each of ({', '.join(wants)})"
        cure = (
            "(h, c), where one tensor is given, as of a GRU, or two without their first dimension"
        )
    elif len(wants) == len(came) == 3:
        says, cure = states_apart(failure, wants, came)
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
    yield failure.hit(ONE_FOR_TWO if is_row_of_one_state(failure, state) else other)


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
        yield failure.hit("the input or the state has another size than the layer was made for")
