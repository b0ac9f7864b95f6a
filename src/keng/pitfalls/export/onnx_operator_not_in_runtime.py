r"""An exported model has an operator that what runs it does not know.

ONNX Runtime runs all of ONNX; OpenCV, OpenVINO, TVM, onnx.js in the browser, the converters to TensorFlow and back know fewer operators, or those of an older opset. The
export itself is right. Many of these operators only compute sizes: `x.shape` in forward and `dynamic_axes` leave chains of Shape, Gather, Unsqueeze and Cast in the graph.

Cure: the export without `dynamic_axes`, with `int(x.shape[1])` or fixed sizes in forward, and `onnxsim` on the file, which computes what is constant; an `opset_version` that the runtime
knows, or a newer runtime; onnxruntime in its place (onnxruntime-web for onnx.js, which has ended); other operations in forward for what is left.

Bad:

```python
import io

import cv2
import numpy
import torch


class Spectrum(torch.nn.Module):
    def forward(self, x):
        return torch.stft(x, 16, return_complex=False)


file = io.BytesIO()
torch.onnx.export(Spectrum(), (torch.ones(1, 64),), file, opset_version=17, dynamo=False)
net = cv2.dnn.readNetFromONNX(numpy.frombuffer(file.getvalue(), numpy.uint8))  # seen: `STFT`
```

Good:

```python
import torch

program = torch.export.export(torch.nn.Conv2d(1, 2, 3), (torch.ones(1, 1, 8, 8),))
```

Message (onnx.js 0.1; `Shape`):

```text
torch.onnx.export(seg_rn, x, "seg_rn.onnx", dynamic_axes={'input': {0:'batch_size'}})

Uncaught (in promise) TypeError: cannot resolve operator 'Shape' with opsets: ai.onnx v11
```

Message (OpenCV 4.1; `Cast`):

```text
cv2.error: OpenCV(4.1.2) /io/opencv/modules/dnn/src/dnn.cpp:525: error: (-2:Unspecified error) Can't create layer "131" of type "Cast" in function 'getLayerInstance'
```

Message (OpenCV 4.5; `ConstantOfShape`):

```text
cv2.error: OpenCV(4.5.3) C:\opencv\modules\dnn\src\onnx\onnx_importer.cpp:2146: error: (-2:Unspecified error) in function 'cv::dnn::dnn4_v20210608::ONNXImporter::handleNode'
> Node [ConstantOfShape]:(13) parse error: OpenCV(4.5.3) C:\opencv\modules\dnn\src\onnx\onnx_importer.cpp:1833: error: (-2:Unspecified error) in function 'handleNode'
```

Message (OpenVINO 2023; `LayerNormalization`):

```text
RuntimeError: Exception from src/inference/src/core.cpp:100:
Check 'error_message.empty()' failed at src/frontends/onnx/frontend/src/frontend.cpp:124:
OpenVINO does not support the following ONNX operations: LayerNormalization
```

Message (OpenVINO 2024, from PyTorch itself; `aten::fft_rfft`):

```text
openvino._pyopenvino.OpConversionFailure: Check 'is_conversion_successful' failed at src/frontends/pytorch/src/frontend.cpp:171:
FrontEnd API failed with OpConversionFailure:
Model wasn't fully converted.
Summary:
-- No conversion rule found for operations: aten::fft_rfft
```

Message (TVM; `NonMaxSuppression`):

```text
tvm.error.OpNotImplemented: The following operators are not supported for frontend ONNX: NonMaxSuppression
```

Message (TVM, its traceback; `CumSum`):

```text
  File "/opt/tvm/python/tvm/relay/frontend/onnx.py", line 2748, in from_onnx
    raise tvm.error.OpNotImplemented(msg)
tvm.error.OpNotImplemented: The following operators are not supported for frontend ONNX: CumSum
```

Message (onnx2torch; `NonZero`):

```text
NotImplementedError: Converter is not implemented (OperationDescription(domain='', operation_type='NonZero', version=9))
```

Message (onnx-tf; `Squeeze of opset 13`):

```text
  File "/env/lib/python3.8/site-packages/onnx_tf/handlers/handler.py", line 60, in handle
    raise BackendIsNotSupposedToImplementIt("{} version {} is not implemented.".format(node.op_type, cls.SINCE_VERSION))
onnx.backend.test.runner.BackendIsNotSupposedToImplementIt: Squeeze version 13 is not implemented.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import cv2, onnx")

SIMPLER = "onnxsim on a file of fixed sizes, another opset_version, or other operations"


@pitfall.explains(
    r"cannot resolve operator '(?P<op>\w{1,60})' with opsets: ai\.onnx v(?P<opset>\d+)", odds=0.95
)
def not_in_the_browser(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(
        f"onnx.js has no {op} of opset {opset}, and is not worked on any more: onnxruntime-web in its place, or {SIMPLER}"
    )


@pitfall.explains(
    r"Can't create layer \"(?P<layer>[^\"]{1,200})\" of type \"(?P<op>\w{1,60})\"",
    r"\bNode \[(?P<op>\w{1,60})(?:@[\w.]{1,40})?\]:\([^()]{1,200}\) parse error",
    odds=0.9,
)
def not_in_opencv(failure: Failure) -> Hits:
    layer = failure.groups.get("layer", "")
    if layer.isdigit() or failure.shows("onnx") or failure.beside_torch:  # no graph of TensorFlow
        yield failure.hit(
            f"the reader of OpenCV does not know {failure.groups['op']}: a newer OpenCV, {SIMPLER}"
        )


@pitfall.explains(
    r"OpenVINO does not support the following ONNX operations: (?P<op>[\w.]{1,60})",
    r"No conversion rule found for operations: (?P<op>[\w.:]{1,60})",
    r"operators are not supported for frontend ONNX: (?P<op>\w{1,60})",
    r"Converter is not implemented \(OperationDescription\(domain='[\w.]{0,40}', operation_type='(?P<op>\w{1,60})', version=(?P<opset>\d+)",
    odds=0.95,
)
def not_by_this_converter(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups.get("opset")
    of = f" of opset {opset}" if opset else ""
    yield failure.hit(
        f"what reads the model does not know {op}{of}: a newer version of it, {SIMPLER}"
    )


@pitfall.explains(
    r"(?:^|[\s:])(?P<op>[A-Z]\w{1,60}) version (?P<opset>\d+) is not implemented", odds=0.93
)
def not_in_tensorflow(failure: Failure) -> Hits:
    said = f"{failure.kind}: {failure.message}"
    if "BackendIsNotSupposedToImplementIt: " in said or failure.shows("onnx_tf"):
        op, opset = failure.groups["op"], failure.groups["opset"]
        yield failure.hit(
            f"onnx-tf does not know {op} of opset {opset}: a newer version of it, {SIMPLER}"
        )
