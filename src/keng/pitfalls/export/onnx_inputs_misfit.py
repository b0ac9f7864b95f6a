r"""A session of ONNX Runtime is fed otherwise than the model was exported.

An exported model takes each input by its name, with the dtype and the number of dimensions that the example had; nothing is
converted on the way. NumPy makes float64 and int64 where PyTorch makes float32, and a tensor of PyTorch is no array. An input that
the graph does not use is dropped when it is exported, so that its name is not known later.

Cure: `print([(i.name, i.type, i.shape) for i in session.get_inputs()])`, then one array for each of these: `x.cpu().numpy()`,
`.astype(numpy.float32)`, `x[None]` for the batch; `input_names=[...]` when it is exported.

Bad:

```python
import io

import onnxruntime
import torch

model, file = torch.nn.Linear(2, 2), io.BytesIO()
torch.onnx.export(model, (torch.ones(1, 2),), file, input_names=["x"], dynamo=False)
session = onnxruntime.InferenceSession(file.getvalue())
session.run(None, {"x": torch.ones(1, 2)})  # seen: numpy()
```

Good:

```python
import io
import warnings

import onnxruntime
import torch

model, file = torch.nn.Linear(2, 2), io.BytesIO()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.onnx.export(model, (torch.ones(1, 2),), file, input_names=["x"], dynamo=False)
session = onnxruntime.InferenceSession(file.getvalue())
session.run(None, {"x": torch.ones(1, 2).numpy()})
```

Message (ONNX Runtime 1.4; `int32`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"ids": torch.ones(1, 7, dtype=torch.long).numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Unexpected input data type. Actual: (N11onnxruntime17PrimitiveDataTypeIlEE) , expected: (N11onnxruntime17PrimitiveDataTypeIiEE)
```

Message (ONNX Runtime 1.15; `input_image`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"input_image": torch.ones(3, 8, 8).numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: input_image Got: 3 Expected: 4 Please fix either the inputs or the model.
```

Message (ONNX Runtime 1.15; `np.float32`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"x": torch.ones(1, 4).double().numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Unexpected input data type. Actual: (tensor(double)) , expected: (tensor(float))
```

Message (ONNX Runtime 1.15; `x[0]`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"image": torch.ones(1, 1, 3, 8, 8).numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: image Got: 5 Expected: 4 Please fix either the inputs or the model.
```

Message (ONNX Runtime 1.15; `the shape of the example`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"image": torch.ones(8, 8).numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: image Got: 2 Expected: 4 Please fix either the inputs or the model.
```

Message (ONNX Runtime 1.32; `n`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"x": torch.ones(1, 4).numpy()})
ValueError: Required inputs (['n']) are missing from input feed (['x']).
```

Message (ONNX Runtime 1.32; `z`):

```text
  File "infer.py", line 9, in <module>
    session.run(None, {"z": torch.ones(1, 4).numpy()})
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid input name: z
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import onnxruntime")

MANGLED = {"f": "float", "d": "double", "i": "int32", "l": "int64", "x": "int64", "b": "bool"}
"""How compilers write a type, which older versions print."""
NUMPYS = {
    "float": "np.float32",
    "double": "np.float64",
    "float16": "np.float16",
    "int64": "np.int64",
    "int32": "np.int32",
    "uint8": "np.uint8",
}


@pitfall.explains(
    r"Unexpected input data type\. Actual: \((?P<got>[\w()]{1,60}?)\) ?, expected: \((?P<wants>[\w()]{1,60}?)\)(?= |$|\n)",
    odds=0.95,
)
def of_another_type(failure: Failure) -> Hits:
    got, wants = (_readable(failure.groups[name]) for name in ("got", "wants"))
    if failure.beside_torch:
        says = f"an input is {got} and was exported as {wants}: .astype({NUMPYS.get(wants, wants)}) on the array"
        yield failure.hit(says)


def _readable(kind: str) -> str:
    plain = kind.removeprefix("tensor(").rstrip(")")
    return MANGLED.get(plain.removesuffix("EE")[-1:], plain) if plain.endswith("EE") else plain


@pitfall.explains(
    r"Invalid rank for input: (?P<name>\S{1,80}) Got: (?P<got>\d+) Expected: (?P<wants>\d+)",
    odds=0.95,
)
def of_other_dimensions(failure: Failure) -> Hits:
    name, got, wants = (failure.groups[each] for each in ("name", "got", "wants"))
    if failure.beside_torch:
        says = (
            f"`{name}` has {got} dimensions and was exported with {wants}: the shape of the example"
        )
        if int(wants) == int(got) + 1:
            says = f"`{name}` has {got} dimensions and was exported with {wants}: x[None] adds the batch"
        elif int(got) == int(wants) + 1:
            says = f"`{name}` has {got} dimensions and was exported with {wants}: one too many, as a batch around the batch, x[0]"
        yield failure.hit(says)


@pitfall.explains(
    r"Required inputs \(\[?'(?P<name>[^']{1,80})'.{0,300}?\) are missing from input feed",
    odds=0.95,
)
def not_fed(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.beside_torch:
        says = f"the model has an input `{name}`, and run() gets none of that name: see session.get_inputs()"
        yield failure.hit(says)


@pitfall.explains(r"Invalid (?:input name|Feed Input Name): ?(?P<name>[\w.:/-]{1,80})", odds=0.95)
def not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.beside_torch:
        says = f"the model has no input `{name}`: the exporter drops what the graph does not use, see session.get_inputs()"
        yield failure.hit(says)


@pitfall.explains(
    r"Input must be a list of dictionaries or a single numpy array for input '(?P<name>[^']{1,80})'",
    odds=0.95,
)
def no_array(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['name']}` is no array of NumPy: x.detach().cpu().numpy()")
