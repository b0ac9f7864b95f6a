r"""A model that resizes is exported to an old opset of ONNX.

Up to opset 10 ONNX's Resize and Upsample have no way to say how corners are aligned and which pixel is nearest, so that
the exported model computes something else than PyTorch's `interpolate`: maps are shifted by a part of a pixel, and a
segmentation loses some points of its score for no visible reason.

Cure: `opset_version=11` or later; leave it out for today's default. Compare with ONNX Runtime on a few inputs.

Bad:

```python
import io

import torch
from torch import nn

model = nn.Upsample(scale_factor=2, mode="bilinear")
file, x = io.BytesIO(), torch.ones(1, 1, 2, 2)
torch.onnx.export(model, (x,), file, opset_version=9, dynamo=False)  # here: `opset 11`
```

Proof:

```python
assert b"coordinate_transformation_mode" not in file.getvalue()
```

Bad (in a model of one's own):

```python
import io

import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def forward(self, x):
        return F.interpolate(x, scale_factor=2.0, mode="nearest")


def export(path, x):
    torch.onnx.export(Head(), x, path, opset_version=10, dynamo=False)  # here: old


file = io.BytesIO()
export(file, torch.ones(1, 1, 2, 2))
```

Proof:

```python
assert b"coordinate_transformation_mode" not in file.getvalue()
```

Good:

```python
import io
import warnings

import torch
from torch import nn

model, x = nn.Upsample(scale_factor=2, mode="bilinear"), torch.ones(1, 1, 2, 2)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.onnx.export(model, (x,), io.BytesIO(), opset_version=17, dynamo=False)
```

Fine (a model that does not resize):

```python
import io
import warnings

import torch
from torch import nn

model, x = nn.Linear(2, 2), torch.ones(1, 2)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.onnx.export(model, (x,), io.BytesIO(), opset_version=9, dynamo=False)
```

Message (torch 1.2 to 2.13):

```text
UserWarning: You are trying to export the model with onnx:Upsample for ONNX opset version 9. This operator might cause results to not match the expected results by PyTorch.
ONNX's Upsample/Resize operator did not match Pytorch's Interpolation until opset 11. Attributes to determine how to transform the input were added in onnx:Resize in opset 11 to support Pytorch's behavior (like coordinate_transformation_mode and nearest_mode).
We recommend using opset 11 and above for models using this operator.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def older_than_eleven(code: Code) -> Hits:
    for call in code.calls_to("torch.onnx.export"):
        opset = next((k.value for k in call.keywords if k.arg == "opset_version"), None)
        number = code.number(opset)
        if opset is None or number is None or number >= 11 or not code.resizes(call):
            continue
        fix = Fix("Export to opset 11", (code.replace(opset, "11"),))
        yield code.hit(call, "before opset 11 the exported resize computes something else", fix=fix)


@pitfall.explains(r"Upsample/Resize operator did not match Pytorch's Interpolation", odds=0.97)
def other_than_interpolate(failure: Failure) -> Hits:
    yield failure.hit("the exported resize computes something else: opset_version=11 or later")
