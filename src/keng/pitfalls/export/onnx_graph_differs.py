r"""An ONNX file is written that does otherwise than the model for other inputs.

The older exporter records the model as it ran with the example, and warns where what it writes holds for the example alone: `squeeze` is kept or dropped by the example's size,
the first states of an LSTM or GRU have the example's batch, negative axes are counted for the example's number of dimensions, negative indices are not counted from the end. A model
in training mode keeps its dropout and the statistics of the batch.

Cure: `model.eval()` before the export; `opset_version=11` or later for `squeeze`; h0 and c0 as inputs of the model, or an example with a batch of 1; indices from zero on; then compare
both on inputs of another size.

Bad:

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
torch.onnx.export(model, (torch.ones(1, 2),), io.BytesIO())
```

Good:

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Dropout()).eval()
torch.onnx.export(model, (torch.ones(1, 2),), io.BytesIO())
```

Message (torch 2.9 to 2.13; `model.eval()`):

```text
UserWarning: Exporting a model while it is in training mode. Please ensure that this is intended, as it may lead to different behavior during inference. Calling model.eval() before export is recommended.
```

Message (torch 1.10 to 2.13; `model.eval()`):

```text
UserWarning: You are exporting the model in training mode with onnx opset version 11. Opset versions lower than opset 12 will not be able to export nodes such as Dropout and BatchNorm correctly.
```

Message (torch 1.4 to 2.13; `opset_version=11`):

```text
UserWarning: This model contains a squeeze operation on dimension 1. The size of this dimension in the given input is 2. The model will be exported without the squeeze node. If the model is intended to be used with dynamic input shapes, please use opset version 11 to export the model.
```

Message (torch 1.4 to 2.13; `LSTM`):

```text
UserWarning: Exporting a model to ONNX with a batch_size other than 1, with a variable length with LSTM can cause an error when running the ONNX model with a different batch size. Make sure to save the model with a batch size of 1, or define the initial states (h0/c0) as inputs of the model.
```

Message (torch 1.4 to 2.13; `-2`):

```text
UserWarning: ONNX export unsqueeze with negative axis -2 might cause the onnx model to be incorrect. Negative axis is not supported in ONNX. Axis is converted to 1 based on input shape at export time. Passing an tensor of different rank in execution will be incorrect.
```

Message (torch 1.4 to 2.13; `negative`):

```text
UserWarning: Exporting aten::index operator of advanced indexing in opset 17 is achieved by combination of multiple ONNX operators, including Reshape, Transpose, Concat, and Gather. If indices include negative values, the exported graph will produce incorrect results.
```

Message (torch 1.8 to 2.13; `more than once`):

```text
UserWarning: Warning: ONNX export does not support duplicated values in 'index' field, this will cause the ONNX model to be incorrect.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="the older exporter")


@pitfall.explains(
    r"This model contains a squeeze operation on dimension (?P<dim>-?\d{1,3})", odds=0.95
)
def squeezed_as_the_example(failure: Failure) -> Hits:
    yield failure.hit(
        f"squeeze of dimension {failure.groups['dim']} is kept or dropped by the example's size: opset_version=11 or later where it varies"
    )


@pitfall.explains(
    r"batch_size other than 1, with a variable length with (?P<kind>\w{2,20}) can cause an error",
    odds=0.95,
)
def states_of_the_example(failure: Failure) -> Hits:
    yield failure.hit(
        f"the first states of the {failure.groups['kind']} are written with the example's batch: a batch of 1, or h0 and c0 as inputs of the model"
    )


@pitfall.explains(
    r"ONNX export (?P<op>un)?squeeze with negative axis (?P<axis>-\d{1,3})", odds=0.95
)
def counted_from_the_end(failure: Failure) -> Hits:
    yield failure.hit(
        f"axis {failure.groups['axis']} is written as the example's dimensions have it: right for inputs of as many dimensions, else count from zero"
    )


EVAL = "the model is in training mode, and dropout and the batch's statistics go into the file: model.eval() before the export"
pitfall.answers(
    {
        "Exporting a model while it is in training mode": EVAL,
        "You are exporting the model in training mode with onnx": EVAL,
        "If indices include negative values, the exported graph": "negative indices give wrong results in the file: indices from zero on, i % x.shape[0]",
        "does not support duplicated values in 'index' field": "an index that stands more than once gives wrong results in the file: each once, or opset_version=16",
    },
    odds=0.95,
)
