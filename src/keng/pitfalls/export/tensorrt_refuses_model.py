r"""TensorRT does not take a model, or an engine of another version or card.

TensorRT reads ONNX with a parser of its own, which knows fewer operators and forms than the exporter writes: sizes that are computed, weights of
int64, a resize by a computed scale. What it builds, an engine, is for that version of TensorRT and that card alone. Where the parser or the builder
fails, Python gets None, and the error comes a line later.

Cure: `onnxsim` on the file, fixed sizes or an optimization profile, another `opset_version`; a newer TensorRT for an operator; the engine built
again on the machine that runs it, never copied; `Torch-TensorRT` leaves to PyTorch what TensorRT does not know.

Bad:

```python
import tensorrt

runtime = tensorrt.Runtime(tensorrt.Logger())
engine = runtime.deserialize_cuda_engine(open("model.engine", "rb").read())
context = engine.create_execution_context()
```

Good:

```python
import torch

exported = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))
```

Message (TensorRT 7; `convertOnnxWeights`):

```text
In node -1 (parseGraph): UNSUPPORTED_NODE: Assertion failed: convertOnnxWeights(initializer, &weights, ctx)
```

Message (TensorRT 7; `NonZero`):

```text
[TensorRT] ERROR: [8] No importer registered for op: NonZero
```

Message (TensorRT 7, a model that thop had counted; `total_ops`):

```text
[E] [TRT] onnx2trt_utils.cpp:467: Found unsupported datatype (11) when importing initializer: backbone.conv1.total_ops
ERROR: ModelImporter.cpp:92 In function parseGraph:
[8] Assertion failed: convertOnnxWeights(initializer, &weights, ctx)
```

Message (TensorRT 7 and later, a buffer of float64; `model.float()`):

```text
[TRT] [E] Found unsupported datatype (11) when importing initializer: anchors
```

Message (TensorRT 8; `ScatterND`):

```text
[TRT] [E] 3: getPluginCreator could not find plugin: ScatterND version: 1
```

Message (TensorRT 8 and 10; `profile`):

```text
[TRT] [E] 4: [network.cpp::nvinfer1::Network::validate::2965] Error Code 4: Internal Error (Network has dynamic or shape inputs, but no optimization profile has been defined.)
```

Message (TensorRT 5 to 8; `8.0.1`):

```text
6: The engine plan file is not compatible with this version of TensorRT, expecting library version 8.0.0 got 8.0.1, please rebuild.
4: [runtime.cpp::deserializeCudaEngine::74] Error Code 4: Internal Error (Engine deserialization failed.)
```

Message (TensorRT 7 and 8; `6.1`):

```text
[TensorRT] ERROR: INVALID_CONFIG: The engine plan file is generated on an incompatible device, expecting compute 6.1 got compute 7.5, please rebuild.
```

Message (TensorRT 7 and 8; `another version`):

```text
1: [stdArchiveReader.cpp::StdArchiveReader::40] Error Code 1: Serialization (Serialization assertion stdVersionRead == serializationVersion failed.Version tag does not match. Note: Current Version: 213, Serialized Engine Version: 232)
```

Message (TensorRT 7 to 10; `workspace`):

```text
[TRT] [E] 10: [optimizer.cpp::computeCosts::3728] Error Code 10: Internal Error (Could not find any implementation for node {ForeignNode[/layers.0/Reshape.../layers.9/Add]}.)
```

Message (Python, where no engine came; `None`):

```text
AttributeError: 'NoneType' object has no attribute 'create_execution_context'
```

Message (TensorRT 7; `importUpsample`):

```text
[TensorRT] ERROR: ModelImporter.cpp:748: ERROR: builtin_op_importers.cpp:3608 In function importUpsample: [8] Assertion failed: scales_input.is_weights()
```

Message (TensorRT 8; `size of this input`):

```text
[TRT] [E] 3: [executionContext.cpp::setInputShape::2037] Error Code 3: API Usage Error (Parameter check failed, condition: engineDims.d[i] == dims.d[i] Static dimension mismatch while setting input shape.)
```

Message (TensorRT 7 and 8, a warning; `harmless`):

```text
[TRT] onnx2trt_utils.cpp:369: Your ONNX model has been generated with INT64 weights, while TensorRT does not natively support INT64. Attempting to cast down to INT32.
```

Message (TensorRT 8 to 10, a program for an older one; `max_workspace_size`):

```text
AttributeError: 'tensorrt_bindings.tensorrt.IBuilderConfig' object has no attribute 'max_workspace_size'
```

Message (Torch-TensorRT 2; `num_batches_tracked`):

```text
RuntimeError: [Error thrown at core/compiler.cpp:319] Expected !dtype || dtype.value() != at::kLong to be true but got false
Cannot specify Int64 input for a model fully compiled in TRT
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="TensorRT")

ONNX_KINDS = (
    "nothing float32 uint8 int8 uint16 int16 int32 int64 text bool float16 float64 uint32 uint64 complex64 complex128 bfloat16"
).split()
COUNTERS = re.compile(r"\btotal_(?:ops|params)$")

pitfall.answers(
    {
        "but no optimization profile has been defined": "a size of the model varies, and TensorRT is not told its bounds: an optimization profile (--minShapes, --optShapes, --maxShapes)",
        "Static dimension mismatch while setting input shape": "the engine was built for another size of this input: --minShapes to --maxShapes, or inputs of that size",
        "TensorRT does not natively support INT64": "whole numbers of 64 bits are read as 32: harmless, unless one is larger",
        "Could not find any implementation for node": "TensorRT finds no way to compute a part: more workspace, another precision, or a newer version",
        "Version tag does not match. Note: Current Version": "the engine was built by another version of TensorRT: build it again on this machine",
        "Cannot specify Int64 input for a model fully compiled in TRT": "a whole number of 64 bits goes in, a buffer such as num_batches_tracked perhaps: ir='dynamo', or int32",
        "has no attribute 'create_execution_context'": "no engine was built or read, and None stands for it: TensorRT's own lines above tell why",
    },
    odds=0.93,
)


@pitfall.explains(
    r"(?:could not find plugin:? |No importer registered for op: )(?P<op>\w{1,60})(?![\w.])",
    odds=0.93,
)
def operator_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        f"TensorRT has no {failure.groups['op']}: a newer version, another operation in the model, or a plugin of one's own"
    )


@pitfall.explains(
    r"In node -?\d+ (?:with name: .{0,120}? )?\((?P<where>\w+)\): (?:UNSUPPORTED|INVALID)_(?:NODE|GRAPH|VALUE): (?:Assertion failed: )?(?P<says>.{3,80})",
    r"In function (?P<where>(?:import|parse)\w+): \[\d\] Assertion failed: (?P<says>.{3,80})",
    odds=0.93,
)
def form_not_taken(failure: Failure) -> Hits:
    where, says = failure.groups["where"], failure.groups["says"]
    yield failure.hit(
        f"TensorRT's parser stops in {where} ({says.strip()}): onnxsim on the file, another opset_version, or another TensorRT"
    )


@pitfall.explains(
    r"Found unsupported datatype \((?P<type>\d{1,2})\) when importing initializer: (?P<name>[\w.:/-]{1,160})",
    odds=0.95,
)
def numbers_of_another_kind(failure: Failure) -> Hits:
    name, number = failure.groups["name"], failure.groups["type"]
    kind = dict(enumerate(ONNX_KINDS)).get(int(number), f"of ONNX's type {number}")
    cure = "model.float(), or another dtype for it, before the export"
    if COUNTERS.search(name):
        cure = "a counter that thop's profile() left in the model: export one that was not profiled, or del layer.total_ops, layer.total_params"
    yield failure.hit(f"`{name}` is {kind}, which this TensorRT does not read: {cure}")


@pitfall.explains(
    r"engine plan file is not compatible with this version of TensorRT, expecting (?P<of>library version) (?P<wants>[\d.]+) got (?P<got>[\d.]+)",
    r"engine plan file is generated on an incompatible device, expecting (?P<of>compute) (?P<wants>[\d.]+) got compute (?P<got>[\d.]+)",
    odds=0.96,
)
def built_elsewhere(failure: Failure) -> Hits:
    of, wants, got = (failure.groups[name].rstrip(".") for name in ("of", "wants", "got"))
    yield failure.hit(
        f"the engine was built for {of} {got}, and this machine has {wants}: build it again here"
    )


@pitfall.explains(
    r"'tensorrt(?:_bindings)?\.tensorrt\.\w{3,40}' object has no attribute '(?P<name>max_workspace_size|max_batch_size|build_cuda_engine|fp16_mode|int8_mode|get_binding_shape|num_bindings)'",
    odds=0.93,
)
def api_of_another_version(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` went out of TensorRT's API by 8 or 10: config.set_memory_pool_limit, build_serialized_network and set_input_shape took its place, or an older TensorRT"
    )
