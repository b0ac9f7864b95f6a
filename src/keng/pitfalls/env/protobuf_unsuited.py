r"""TensorBoard, ONNX or a tokenizer was made for another protobuf.

These packages hold code that protobuf's compiler generated. Code of before 3.19 is refused by protobuf 4 and later; code of a newer compiler asks an older
protobuf for what it lacks, as `builder`, which came with 3.20. PyTorch has no part in it but that `torch.utils.tensorboard` and
`torch.onnx` import them.

Cure: the newest release of the package that stands last in the traceback (`pip install -U tensorboard onnx`); where it cannot be, the protobuf of its time: `pip install
"protobuf<3.21"`; for `builder` `pip install -U protobuf`.

Bad:

```python
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
```

Good:

```python
import importlib.metadata

print(importlib.metadata.distributions())
```

Message (protobuf 4, tensorboard 2.8; `protobuf<=3.20.3`):

```text
Traceback (most recent call last):
  File "train.py", line 4, in <module>
    from torch.utils.tensorboard import SummaryWriter
  File "/env/lib/python3.8/site-packages/torch/utils/tensorboard/writer.py", line 9, in <module>
    from tensorboard.compat.proto.event_pb2 import SessionLog
  File "/env/lib/python3.8/site-packages/tensorboard/compat/proto/event_pb2.py", line 17, in <module>
    from tensorboard.compat.proto import summary_pb2 as tensorboard_dot_compat_dot_proto_dot_summary__pb2
  File "/env/lib/python3.8/site-packages/google/protobuf/descriptor.py", line 560, in __new__
    _message.Message._CheckCalledFromGeneratedFile()
TypeError: Descriptors cannot not be created directly.
If this call came from a _pb2.py file, your generated code is out of date and must be regenerated with protoc >= 3.19.0.
```

Message (protobuf 3.19, onnx 1.13; `onnx was generated for a newer`):

```text
Traceback (most recent call last):
  File "export.py", line 2, in <module>
    import torch, onnx
  File "/env/lib/python3.8/site-packages/onnx/onnx_ml_pb2.py", line 5, in <module>
    from google.protobuf.internal import builder as _builder
ImportError: cannot import name 'builder' from 'google.protobuf.internal' (/env/lib/python3.8/site-packages/google/protobuf/internal/__init__.py)
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="another protobuf")

GENERATED = re.compile(r"[\\/](?:site|dist)-packages[\\/](?!google\b|torch\b)(\w+)[\\/]")


@pitfall.explains(
    r"Descriptors cannot (?:not )?be created directly",
    r"cannot import name 'builder' from 'google\.protobuf\.internal'",
    odds=0.95,
)
def made_for_another(failure: Failure) -> Hits:
    if failure.beside_torch:
        owners = [found[1] for frame in failure.frames if (found := GENERATED.search(frame.path))]
        name = owners[-1] if owners else "tensorboard"
        says = f"{name} was generated for an older protobuf than is installed: pip install -U {name}, or 'protobuf<=3.20.3'"
        if "builder" in failure.message:
            says = f"{name} was generated for a newer protobuf than is installed: pip install -U protobuf"
        yield failure.hit(says)
