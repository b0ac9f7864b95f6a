r"""A model of more than 2 GB is written into one ONNX file.

ONNX files are protobuf messages, which hold 2 GB at most. Larger weights go into files beside it, which wants a path: a buffer in memory has no place beside it. Functions of
`onnx` that take the model as an object serialize it too, and fail in the same way.

Cure: give a path, not `BytesIO`; for the newer exporter `external_data=True`; `onnx.checker.check_model` and shape inference by path; `onnx.save(..., save_as_external_data=True)`.

Bad:

```python
import io

import torch
from torch import nn

model = nn.Linear(30000, 30000)
torch.onnx.export(model, (torch.ones(1, 30000),), io.BytesIO(), dynamo=False)
```

Good:

```python
path = "model.onnx"
print(path)
```

Message (torch 1.11 to 2.13; `path`):

```text
RuntimeError: The serialized model is larger than the 2GiB limit imposed by the protobuf library. Therefore the output file must be a file path, so that the ONNX external data can be written to the same directory. Please specify the output file name.
```

Message (onnx and protobuf; `save_as_external_data`):

```text
ValueError: Message onnx.ModelProto exceeds maximum protobuf size of 2GB: 3461213450
```

Message (torch 1.5 to 1.10; `use_external_data_format`):

```text
RuntimeError: Exporting model exceed maximum protobuf size of 2GB. Please call torch.onnx.export without setting use_external_data_format parameter.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a model of 2 GB")


@pitfall.explains(
    r"serialized model is larger than the 2GiB limit imposed by the protobuf",
    r"ModelProto exceeds maximum protobuf size of 2GB",
    r"Exporting model exceed maximum protobuf size of 2GB",
    odds=0.97,
)
def over_the_limit(failure: Failure) -> Hits:
    cure = "give a path, so that the weights go into files beside it"
    if "ModelProto" in failure.message:
        cure = "onnx.save(..., save_as_external_data=True), and the path in place of the model for onnx.checker and its like"
    elif "use_external_data_format" in failure.message:
        cure = (
            "use_external_data_format=True with a path, or a newer PyTorch, which does so by itself"
        )
    yield failure.hit(f"the model has more than 2 GB, which one ONNX file cannot hold: {cure}")
