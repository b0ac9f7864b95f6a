r"""A file of ONNX is newer than what reads it.

Each release of ONNX has a version of its file format (IR) and an opset, the list of its operators. The exporter writes those of the `onnx` that is
installed, or the `opset_version` that it is given; an older ONNX Runtime, TensorRT or checker refuses what came later: an
operator, an attribute as `allowzero` of opset 14, or the whole file.

Cure: a newer runtime, or export with a lower `opset_version` (what the runtime's table of versions names); `onnx` of the runtime's age;
`onnx.version_converter` for a file that is already there.

Bad:

```python
import torch

torch.onnx.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),), "m.onnx", opset_version=23)
```

Good:

```python
import torch

program = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
```

Message (ONNX Runtime 1.16; `10`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Load model from ./640m.onnx failed:C:\a\_work\1\s\onnxruntime\core\graph\model.cc:150 onnxruntime::Model::Model Unsupported model IR version: 10, max supported IR version: 9
```

Message (onnx 1.23; `99`):

```text
onnx.onnx_cpp2py_export.checker.ValidationError: Your model ir_version 99 is higher than the checker's (14).
```

Message (onnx up to 1.13; `newer`):

```text
onnx.onnx_cpp2py_export.checker.ValidationError: Your model ir_version is higher than the checker's.
```

Message (ONNX Runtime 1.32; `40`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : /onnxruntime_src/onnxruntime/core/graph/model_load_utils.h:46 void onnxruntime::model_load_utils::ValidateOpsetForDomain(...) ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. Opset 40 is under development and support for this is limited. The operator schemas and or other functionality may change before next ONNX release and in this case ONNX Runtime will not guarantee backward compatibility. Current official support for domain ai.onnx is till opset 28.
```

Message (ONNX Runtime; `allowzero`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph: [ONNXRuntimeError] : 10 : INVALID_GRAPH : Load model from ./model_opset11.onnx failed:This is an invalid model. In Node, ("/Reshape", Reshape, "", -1) : ("onnx::Reshape_0": tensor(float),"/Constant_output_0": tensor(int64),) -> ("/Reshape_output_0": tensor(float),) , Error Unrecognized attribute: allowzero for operator Reshape
```

Message (ONNX Runtime 1.32, and the checker; `GridSample`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph: [ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. In Node, ("g_1", GridSample, "", -1) : ("a": tensor(float),"b": tensor(float),) -> ("c": tensor(float),) , Error No Op registered for GridSample with domain_version of 13
```

Message (ONNX Runtime 1.32, a plugin's operator; `mmdeploy:Foo`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Fatal error: mmdeploy:Foo(-1) is not a registered function/op
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older ONNX Runtime")


@pitfall.explains(
    r"Unsupported model IR version: (?P<has>\d+), max supported IR version: (?P<most>\d+)",
    r"Your model ir_version (?:(?P<has>\d+) )?is higher than the checker's(?: \((?P<most>\d+)\))?",
    odds=0.96,
)
def format_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    numbers = f" ({has}, which reads up to {most})" if has else ""
    says = f"the file's format (IR) is newer than what reads it{numbers}: a newer onnxruntime and onnx, or a lower opset_version"
    yield failure.hit(says, sure=failure.beside_torch)  # a file of any exporter


@pitfall.explains(
    r"Opset (?P<has>\d+) is under development and support for this is limited.{0,300}? is till opset (?P<most>\d+)",
    odds=0.96,
)
def opset_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    yield failure.hit(
        f"the file has opset {has}, and {most} is the newest that is read here: a newer runtime, or opset_version={most}"
    )


@pitfall.explains(r"Unrecognized attribute: (?P<what>\w{1,40}) for operator \w", odds=0.9)
def attribute_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['what']}` came with a later opset than the file says or the runtime knows: a newer runtime, or another opset_version"
    )


@pitfall.explains(
    r"No Op registered for (?P<op>\w{1,60}) with domain_version of (?P<opset>\d+)", odds=0.9
)
def operator_not_in_opset(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(f"opset {opset} has no {op}: a higher opset_version, or a newer runtime")


@pitfall.explains(
    r"Fatal error: (?P<op>[\w.]{1,60}:\w{1,60})(?:\(-?\d+\))? is not a registered function/op",
    odds=0.93,
)
def operator_of_a_plugin(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is not ONNX's own: SessionOptions.register_custom_ops_library, or an export without it"
    )
