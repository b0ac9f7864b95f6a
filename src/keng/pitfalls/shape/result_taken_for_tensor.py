r"""What a function returns is taken for a tensor.

Not all that PyTorch returns is one. `x.max(dim=1)`, `sort`, `topk` and the like give values and indices together, `pack_padded_sequence` a
PackedSequence, an `nn.LSTM` its output and its state, `.shape` a tuple, `.item()` a plain number. `==` gives a tensor only between tensors, arrays and
numbers: of a tensor and a list it is False, whatever they hold.

Cure: `values, indices = x.max(dim=1)`; `out, state = lstm(x)`; `pad_packed_sequence(packed)` for the tensor; no second `.item()`; `torch.as_tensor(labels)` before
a comparison.

Bad (of packed sequences):

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

packed = pack_padded_sequence(torch.ones(5, 2, 3), [5, 3])
steps = packed.size(0)  # seen: `pad_packed_sequence`
```

Bad (of values and indices):

```python
import torch

best = torch.ones(2, 3).max(dim=1)
rows = best.shape[0]  # seen: `.values`
```

Bad (of an output and a state):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.fc = nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x):
        out = self.lstm(x)
        return self.fc(out[:, -1, :])  # seen: `out, state = lstm(x)`


y = Net()(torch.ones(2, 5, 4))
```

Bad (computed with):

```python
import torch

x = torch.ones(2, 3)
left = x - x.max(dim=1, keepdim=True)  # seen: `.values`
```

Bad (of a comparison with a list):

```python
import torch

prediction, labels = torch.tensor([1, 0]), [1, 0]
hits = (prediction.tolist() == labels).float()  # seen: one truth value
```

Bad (of a number):

```python
import torch

loss = torch.ones(()).item()
total = loss.item()  # seen: a plain float
```

Bad (of a shape):

```python
import torch

sizes = torch.ones(2, 3).shape.numpy()  # seen: a shape
```

Good:

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

packed = pack_padded_sequence(torch.ones(5, 2, 3), [5, 3])
steps = pad_packed_sequence(packed)[0].size(0)
values, indices = torch.ones(2, 3).max(dim=1)
hits = (torch.tensor([1, 0]) == torch.as_tensor([1, 0])).float()
```

Message (torch 0.1 to 2.13, with the code; `out, state = lstm(x)`):

```text
TypeError: tuple indices must be integers or slices, not tuple

out = self.gru(x)
return self.fc(out[:, -1])
```

Message (torchvision, of a model with a second head; `aux_logits`):

```text
AttributeError: 'InceptionOutputs' object has no attribute 'argmax'
```

Message (transformers; `.loss`):

```text
AttributeError: 'SequenceClassifierOutput' object has no attribute 'backward'
```

Message (transformers; `input_ids`):

```text
AttributeError: 'BertTokenizerFast' object has no attribute 'to'
```

Message (transformers before 4 or with `return_dict=False`):

```text
AttributeError: 'tuple' object has no attribute 'logits'
```

Message (torch 1.6 to 2.13, of a GradScaler; `a number`):

```text
ValueError: outputs must be a Tensor or an iterable of Tensors
```

Message (transformers 5, of CLIPModel.get_image_features; `pooler_output`):

```text
AttributeError: 'BaseModelOutputWithPooling' object has no attribute 'norm'
```

Message (torch 2.13; `eigenvectors`):

```text
AttributeError: 'torch.return_types.linalg_eigh' object has no attribute 'shape'
```

Message (torch 2.13; `solution`):

```text
AttributeError: 'torch.return_types.linalg_lstsq' object has no attribute 'shape'
```
"""

from keng.explain.advice.results import is_output_and_state, part_that_is_meant
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.decompositions import PARTS

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"'PackedSequence' object has no attribute '(?P<name>\w+)'", odds=0.95)
def of_packed_sequences(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"packed sequences have no `{name}`: pad_packed_sequence gives the tensor, .data all steps without their order"
    )


@pitfall.explains(
    r"'torch\.return_types\.(?P<function>\w+)' object has no attribute '(?P<name>\w+)'", odds=0.95
)
def of_values_and_indices(failure: Failure) -> Hits:
    function, name = failure.groups["function"], failure.groups["name"]
    parts = PARTS.get(function.removeprefix("linalg_"))
    says = f"{function} over a dimension gives values and indices: {function}(...).values.{name}"
    if parts:
        says = f"{function} gives {parts}: take the one that is meant before .{name}"
    yield failure.hit(says)


@pitfall.explains(
    r"(?:operand type\(s\) for|between instances of) .{0,60}'torch\.return_types\.(?P<function>\w+)'",
    odds=0.96,
)
def computed_with_both(failure: Failure) -> Hits:
    function = failure.groups["function"]
    yield failure.hit(f"{function} gives values and indices: {function}(...).values is the tensor")


@pitfall.explains(
    r"'bool' object has no attribute '(?P<name>float|long|cpu|cuda|to|sum|all|any|mean|item)'",
    odds=0.9,
)
def of_a_comparison(failure: Failure) -> Hits:
    if failure.groups["name"] in ("float", "long", "cpu", "cuda", "to") or "==" in failure.line:
        yield failure.hit(
            "a comparison gave one truth value and not a tensor: one of its sides is no tensor, as a list"
        )


@pitfall.explains(r"'(?P<kind>int|float)' object has no attribute 'item'", odds=0.85)
def of_a_number(failure: Failure) -> Hits:
    yield failure.hit(
        f"`item` is a tensor's, and this is a plain {failure.groups['kind']} already: leave it out"
    )


@pitfall.explains(
    r"'torch\.(?P<kind>Size|device|dtype)' object has no attribute '(?P<name>\w+)'", odds=0.9
)
def of_a_property(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    what = {"Size": "a shape, a tuple of numbers", "device": "a device: str(device) is its text"}
    yield failure.hit(f"`{name}` is asked of {what.get(kind, 'a dtype')}, and not of a tensor")


@pitfall.explains(r"tuple indices must be integers(?: or slices)?, not tuple", odds=0.9)
def indexed_like_a_tensor(failure: Failure) -> Hits:
    if is_output_and_state(failure):
        yield failure.hit(
            "a tuple is indexed like a tensor: of a recurrent layer, out, state = lstm(x); else take the part that is meant"
        )


@pitfall.explains(
    r"'(?P<kind>tuple)' object has no attribute '(?P<name>logits|loss|last_hidden_state|hidden_states|pooler_output|past_key_values)'",
    r"'(?P<kind>\w{2,60}Output(?:With\w{2,60})?|\w{2,40}Outputs|BatchEncoding|BatchFeature|\w{2,40}Tokenizer(?:Fast)?)' object has no attribute '(?P<name>"
    r"backward|argmax|softmax|log_softmax|size|shape|dim|detach|cpu|cuda|to|item|squeeze|unsqueeze|view|max|mean|sum|float|half|norm|T|dtype|device|reshape|permute|numpy|logits|loss|last_hidden_state|pooler_output)'",
    odds=0.85,
)
def of_what_a_model_returns(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(f"a {kind} has no `{name}`: {part_that_is_meant(kind, name)}")


pitfall.answers(
    {
        "outputs must be a Tensor or an iterable of Tensors": "the loss that is scaled is a number or None: without .item(), and returned from forward",
    },
    odds=0.9,
)
