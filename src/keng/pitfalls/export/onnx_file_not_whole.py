r"""A file of ONNX is not whole, or is none.

ONNX files are messages of protobuf. What is something else does not parse: a checkpoint `.pt`, a pointer of Git LFS in place of the
file, a page that says "not found", a download that was cut. Larger weights stand in a file beside it (`model.onnx.data`), which the newer exporter
always writes for a path; moved without it, or loaded from bytes, the model has no weights.

Cure: see the file's size and first bytes (`git lfs pull` for a pointer); keep both files in one folder under their names and load by path;
or one file: `torch.onnx.export(..., external_data=False)`.

Bad:

```python
import onnxruntime

session = onnxruntime.InferenceSession("weights.pt")
```

Good:

```python
import torch

exported = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
```

Message (ONNX Runtime 1.0 to 1.32; `git lfs`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf: [ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Load model from m.onnx failed:Protobuf parsing failed.
```

Message (ONNX Runtime 1.32, from bytes; `git lfs`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf: [ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Failed to load model because protobuf parsing failed.
```

Message (onnx 1.23; `git lfs`):

```text
google.protobuf.message.DecodeError: Error parsing message with type 'onnx.ModelProto': Wire format was corrupt
```

Message (ONNX Runtime 1.32; `ext.onnx.data`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : External data path validation failed for initializer: weight. Error: tensorprotoutils.cc:619 ValidateExternalDataPathFromDir External data path does not exist: "/home/u/ext.onnx.data"
```

Message (onnx 1.7 and later; `model.onnx.data`):

```text
onnx.onnx_cpp2py_export.checker.ValidationError: Data of TensorProto ( tensor name: weight) should be stored in /home/u/model.onnx.data, but it doesn't exist or is not accessible.
```

Message (onnx 1.23; `ext.onnx.data`):

```text
onnx.onnx_cpp2py_export.checker.ValidationError: Data of TensorProto ( tensor name: weight) should be stored in ext.onnx.data, but it is not regular file.
```

Message (ONNX Runtime 1.32, from bytes, which have no folder; `ext.onnx.data`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : External data path validation failed for initializer: weight. Error: External data path for model loaded from bytes escapes working directory. tensorprotoutils.cc:619 ValidateExternalDataPathFromDir External data path does not exist: "/tmp/ext.onnx.data"
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="ONNX Runtime")


@pitfall.explains(
    r"INVALID_PROTOBUF : .{0,400}?[Pp]rotobuf parsing failed",
    r"Error parsing message with type 'onnx\.ModelProto'",
    odds=0.95,
)
def no_onnx(failure: Failure) -> Hits:
    says = "the file is no ONNX, or cut: a checkpoint, a pointer of Git LFS (git lfs pull), or a broken download; see its size"
    yield failure.hit(says, sure=False)  # of any exporter


@pitfall.explains(
    r"External data path does not exist: \W{0,3}[^\"\n]{0,300}?(?P<file>[^\"/\\\n]{1,120})\"",
    r"\( ?tensor name: [^()\n]{1,200}\) should be stored in [^\n,]{0,300}?(?P<file>[^/\\\n,]{1,120}), but it (?:doesn't exist|is not)",
    odds=0.95,
)
def weights_left_behind(failure: Failure) -> Hits:
    yield failure.hit(
        f"the weights stand in {failure.groups['file']}, which is to lie beside the model under that name, loaded by its path: copy both, or external_data=False"
    )
