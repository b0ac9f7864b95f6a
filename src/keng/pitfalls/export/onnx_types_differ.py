r"""An exported model has types that ONNX, or its runtime, does not take together.

PyTorch converts dtypes on its own, as in a product of a float and an integer; ONNX converts nothing, and each operator takes some types alone. An exporter
that does not write the conversion leaves a graph that is refused when it is loaded: float64 from NumPy or `torch.tensor(0.5, dtype=torch.float64)`, an
index as a factor, a mask of bool in `cumsum`. ONNX Runtime has fewer kernels still: little in float64, float16 and bfloat16 on the processor.

Cure: the same dtype on both sides in the model, `.float()` on masks and indices, no float64; then a newer PyTorch, or dynamo=True;
float16 is for the card.

Bad:

```python
import torch


class Model(torch.nn.Module):
    def forward(self, mask):
        return mask.cumsum(1)


torch.onnx.export(Model(), (torch.ones(1, 2, dtype=torch.bool),), "m.onnx")
```

Good:

```python
import torch


class Model(torch.nn.Module):
    def forward(self, mask):
        return mask.float().cumsum(1)


print(Model()(torch.ones(1, 2, dtype=torch.bool)))
```

Message (ONNX Runtime 1.0 to 1.5; `float`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Type Error: Type parameter (T) bound to different types (tensor(float) and tensor(int64) in node (Mul_11).
```

Message (ONNX Runtime 1.32; `Add_3`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Type Error: Type parameter (T) of Optype (Add) bound to different types (tensor(float) and tensor(double) in node (Add_3).
```

Message (ONNX Runtime; `CumSum`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph: [ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. Type Error: Type 'tensor(bool)' of input parameter (1684) of operator (CumSum) in node (CumSum_1227) is invalid.
```

Message (ONNX Runtime 1.14; `.float()`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph: [ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. Type Error: Type 'tensor(int64)' of input parameter (x) of operator (Floor) in node (Floor_2) is invalid.
```

Message (ONNX Runtime 1.14; `.long()`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph: [ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. Type Error: Type 'tensor(float)' of input parameter (index) of operator (Gather) in node (Gather_7) is invalid.
```

Message (ONNX Runtime 1.32; `Det`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented: [ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Det(11) node with name 'Det_1'
```

Message (onnx 1.23, its checker; `CumSum`):

```text
onnx.onnx_cpp2py_export.shape_inference.InferenceError: [ShapeInferenceError] (op_type:CumSum, node name: CumSum_1): x typestr: T, has unsupported type: tensor(bool)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="ONNX Runtime")


@pitfall.explains(
    r"Type parameter \(\w+\) (?:of Optype \(\w+\) )?bound to different types \(tensor\((?P<one>\w+)\) and tensor\((?P<other>\w+)\) in node \((?P<node>[^()\n]{0,160})\)",
    odds=0.95,
)
def meet_in_a_node(failure: Failure) -> Hits:
    one, other, node = (failure.groups[name] for name in ("one", "other", "node"))
    yield failure.hit(
        f"{one} and {other} meet{f' in `{node}`' if node else ''}, and ONNX converts neither: the same dtype in the model's code, or a newer exporter"
    )


@pitfall.explains(
    r"Type 'tensor\((?P<kind>\w+)\)' of input parameter \([^()\n]{0,160}\) of operator \((?P<op>\w+)\) in node \([^()\n]{0,160}\) is invalid",
    r"\(op_type:(?P<op>\w+)(?:, node name: [^()\n]{0,160})?\): \w+ typestr: \w+, has unsupported type: tensor\((?P<kind>\w+)\)",
    odds=0.95,
)
def not_taken(failure: Failure) -> Hits:
    op, kind = failure.groups["op"], failure.groups["kind"]
    cure = ".float() or .long()" if kind == "bool" else ".long()" if kind == "float" else ".float()"
    yield failure.hit(f"ONNX's {op} takes no {kind}: {cure} before it in the model")


@pitfall.explains(
    r"Could not find an implementation for (?:the node \S{0,160}?:)?(?P<op>\w{1,60}\(\d+\))",
    odds=0.85,
)
def without_kernel(failure: Failure) -> Hits:
    yield failure.hit(
        f"ONNX Runtime has no {failure.groups['op']} for this type on this device: float32 or int64, a newer onnxruntime, or a provider that has it"
    )
