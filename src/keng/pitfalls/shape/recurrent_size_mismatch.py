r"""A recurrent layer gets an input or a state of another size.

`nn.LSTM(input_size, hidden_size, num_layers)` takes (length, batch, input_size), or with
`batch_first=True` (batch, length, input_size). Its state is (num_layers * directions, batch,
hidden_size) in both cases: `batch_first` does not move the batch of the state. A state kept from the
batch before does not fit a last batch that is smaller.

Cure: `batch_first=True` where the batch comes first; else make the state for the batch that came, or leave
it out: it is zeros then; `drop_last=True` where it is carried over.

Bad (a state for another batch):

```python
import torch
from torch import nn

rnn = nn.LSTM(3, 4, batch_first=True)
x = torch.ones(2, 5, 3)
state = torch.zeros(1, 3, 4), torch.zeros(1, 3, 4)
out, state = rnn(x, state)  # seen: `the state is for a batch of 3, the input of 2`
```

Bad (the batch where the length is looked for):

```python
import torch
from torch import nn

rnn = nn.GRU(3, 4)
x = torch.ones(2, 5, 3)
state = torch.zeros(1, x.size(0), 4)
out, state = rnn(x, state)  # seen: `the input of 5, its second dimension: batch_first=True`
```

Bad (another number of features):

```python
import torch
from torch import nn

rnn = nn.GRU(3, 4)
out, state = rnn(torch.ones(5, 2, 7))  # seen: `rnn takes 3 features, but gets 7`
```

Bad (a state of another number of layers):

```python
import torch
from torch import nn

rnn = nn.GRU(3, 4, num_layers=2)
out, state = rnn(torch.ones(5, 2, 3), torch.zeros(1, 2, 4))  # seen: 2 layers
```

Bad (a cell and the state of another batch; `a batch of 2`):

```python
import torch
from torch import nn

cell = nn.GRUCell(4, 3)
state = cell(torch.ones(2, 4), torch.zeros(5, 3))  # seen: made for 5
```

Bad (a cell and another number of features; `5 features`):

```python
import torch
from torch import nn

cell = nn.GRUCell(4, 3)
state = cell(torch.ones(2, 5))  # seen: 4 are wanted
```

Bad (a cell that is given one state for two; `lstm(x, (h, c))`):

```python
import torch
from torch import nn

cell = nn.LSTMCell(4, 8)
h, c = cell(torch.ones(2, 4), torch.zeros(2, 8))  # seen: h alone is given
```

Bad (one state for two):

```python
import torch
from torch import nn

lstm = nn.LSTM(4, 8)
out, state = lstm(torch.ones(5, 2, 4), torch.zeros(1, 2, 8))  # seen: `lstm(x, (h, c))`
```

Good:

```python
import torch
from torch import nn

rnn = nn.LSTM(3, 4, batch_first=True)
x = torch.ones(2, 5, 3)
state = torch.zeros(1, 2, 4), torch.zeros(1, 2, 4)
out, state = rnn(x, state)
```

Message (torch 2.13; `3 features, but gets 4`):

```text
RuntimeError: input has inconsistent input_size: got 4 expected 3
```

Message (torch 2.13; `state`):

```text
RuntimeError: hidden0 has inconsistent hidden_size: got 5, expected 4
```

Message (torch 2.13; `batch of 3, the input of 2`):

```text
RuntimeError: Input batch size 2 doesn't match hidden0 batch size 3
```

Message (torch 1.4):

```text
RuntimeError: Expected hidden size (1, 64, 100), got (1, 30, 100)
```

Message (torch 1.0 to 1.10, of an LSTM that is given the state of a GRU; `(h, c)`):

```text
RuntimeError: Expected hidden[0] size (1, 4, 256), got (4, 256)
```

Message (torch 1.11 to 2.13; `both without`):

```text
RuntimeError: For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors
```

Message (torch 0.4 to 1.13; `a batch of 512`):

```text
RuntimeError: Input batch size 1 doesn't match hidden[0] batch size 512
```

Message (torch 0.4 to 1.13, a cell whose hidden_size is 512; `lstm(x, (h, c))`):

```text
RuntimeError: Input batch size 1 doesn't match hidden[0] batch size 512

cell = nn.LSTMCell(256, 512)
h = cell(torch.randn(1, 256), torch.randn(1, 512))
```

Message (torch 2.13, without a batch; `lstm(x, (h, c))`):

```text
ValueError: LSTMCell: Expected hx[0] to be 1D or 2D, got 0D instead
```

Message (torch 0.3, whose own message fails; `than the layer was made for`):

```text
  File "/env/lib/python3.6/site-packages/torch/nn/modules/rnn.py", line 190, in forward
    self.check_forward_args(input, hx, batch_sizes)
  File "/env/lib/python3.6/site-packages/torch/nn/modules/rnn.py", line 141, in check_forward_args
    fn.input_size, input.size(-1)))
NameError: name 'fn' is not defined
```

Message (torch 2.13, of batch_first; `batch_first=True, where 10 is the length`):

```text
RuntimeError: Expected hidden[0] size (4, 10, 100), got [4, 4, 100]
```

Message (torch 2.13, of a state with the batch first; `h.transpose(0, 1)`):

```text
RuntimeError: Expected hidden[0] size (2, 4, 5), got [4, 2, 5]
```

Message (torch 1.0 to 1.10, of an encoder's output; `the second thing that it returns`):

```text
RuntimeError: Expected hidden size (1, 8, 512), got (8, 473, 1024)
```

Message (torch 2.13, of two directions; `torch.zeros(2, 4, 5), twice as many with bidirectional=True`):

```text
RuntimeError: Expected hidden[0] size (2, 4, 5), got [1, 4, 5]
```

Message (torch 2.13, of an encoder that goes both ways; `h[::2]`):

```text
RuntimeError: Expected hidden[0] size (1, 4, 5), got [2, 4, 5]
```

Message (torch 2.13, of an encoder of another width; `nn.Linear(6, 5)`):

```text
RuntimeError: Expected hidden size (1, 4, 5), got [1, 4, 6]
```

Message (torch 2.13, of a state that fits in nothing; `make it for each batch`):

```text
RuntimeError: Expected hidden[0] size (2, 4, 5), got [1, 3, 5]
```

Message (torch 2.13, of a state without layers; `make it for each batch`):

```text
RuntimeError: Expected hidden size (1, 4, 5), got [4, 5, 6, 1]
```

Message (torch 2.13, of steps of one number; `x.unsqueeze(-1)`):

```text
RuntimeError: input.size(-1) must be equal to input_size. Expected 1, got 7
```

Message (torch 1.0 to 2.13, of one tensor or another batch; `gets one tensor`):

```text
RuntimeError: Input batch size 1 doesn't match hidden[0] batch size 512
```

Message (torch 1.10 to 2.13, of features that stand below each other; `x.transpose(-2, -1)`):

```text
RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 1
```
"""

from keng.explain.advice.states import EACH, is_row_of_one_state, states_apart
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
ONE_FOR_TWO = "an LSTM has two states: `lstm(x, (h, c))`, and one tensor is given"


@pitfall.explains(
    r"Expected hidden(?:\[\d\])? size \((?P<wants>[\d, ]+)\), got [\[(](?P<came>[\d, ]+)[\])]",
    odds=0.95,
)
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


@pitfall.explains(
    r"(?P<what>input|hidden\[?\d?\]?) has inconsistent (?:input|hidden)_size:? got (?P<came>\d+),? expected (?P<wants>\d+)",
    r"(?P<what>input)\.size\(-1\) must be equal to input_size\. Expected (?P<wants>\d+), got (?P<came>\d+)",
    odds=0.96,
)
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


@pitfall.explains(
    r"index 1 is out of bounds for dimension 0 with size 1",
    r"(?P<sure>lstm(?:_cell)?\(\): argument 'hx' \(position 2\) must be tuple of Tensors, not (?:Tensor|Parameter))",
    r"(?P<sure>LSTMCell: Expected hx\[0\] to be 1D or 2D, got 0D)",
    odds=0.96,
)
def one_state_for_two(failure: Failure) -> Hits:
    if failure.groups.get("sure") or failure.raised_in.endswith("rnn.py"):
        yield failure.hit(ONE_FOR_TWO)


@pitfall.explains(
    r"Input batch size (?P<input>\d+) doesn't match hidden(?:\[?\d\]?)? batch size (?P<state>\d+)",
    odds=0.96,
)
def state_of_another_batch(failure: Failure) -> Hits:
    given, state = failure.groups["input"], failure.groups["state"]
    other = f"the state is for a batch of {state}, the input of {given}: make it for each batch"
    if "hidden[0]" in failure.message:
        other += ", or, where an LSTM gets one tensor, the pair (h, c)"
    yield failure.hit(ONE_FOR_TWO if is_row_of_one_state(failure, state) else other)


@pitfall.explains(
    r"For (?:un)?batched (?P<input>[23])-D input, hx (?:and cx )?should also be [23]-D but got \(?(?P<state>\d)-D",
    odds=0.95,
)
def state_of_other_dimensions(failure: Failure) -> Hits:
    given, state = failure.groups["input"], failure.groups["state"]
    pair = ", as the pair (h, c)" if "and cx" in failure.message else ""
    yield failure.hit(
        f"the input has {given} dimensions and the state {state}: both with a batch, or both without{pair}"
    )


@pitfall.explains(r"name 'fn' is not defined", odds=0.96)
def message_that_fails(failure: Failure) -> Hits:
    if any("check_forward_args" in frame.text for frame in failure.frames):
        yield failure.hit("the input or the state has another size than the layer was made for")
