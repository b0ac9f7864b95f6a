r"""A file is read by another function than the one it was written for.

`torch.save`, `torch.jit.save` and `torch.export.save` all write a zip archive, with other things in it. `torch.jit.load` looks for the
code of a scripted model, which a state dict has not, and reports the archive as damaged though it is whole.

Cure: `torch.load` for what `torch.save` wrote, with the model built before; `torch.jit.load` for `torch.jit.script(model).save(path)` alone;
`keng ckpt show FILE` says what a file is.

Bad:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
model = torch.jit.load(file)  # seen: `torch.load`
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file)
```

Message (torch 2.13, a file that torch.save wrote; `torch.export.load`):

```text
RuntimeError: PytorchStreamReader failed locating file archive_format: file not found. This is an internal miniz error. If you are seeing this error, there is a high likelihood that your checkpoint file is corrupted. This can happen if the checkpoint was not saved properly, was transferred incorrectly, or the file was modified after saving.
```

Message (torch 1.0 to 2.13; `loaded already`):

```text
AttributeError: 'dict' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.
```

Message (torch 1.4 to 1.6, in an app for Android):

```text
com.facebook.jni.CppException: [enforce fail at inline_container.cc:208] . file not found: archive/constants.pkl
```

Message (torch 1.8 to 2.13; `torch.jit.load`):

```text
UserWarning: 'torch.load' received a zip file that looks like a TorchScript archive dispatching to 'torch.jit.load' (call 'torch.jit.load' directly to silence this warning)
```

Message (torch 2.1 to 2.13; `mmap=True`):

```text
RuntimeError: mmap can only be used with files saved with `torch.save(/tmp/old.pt, _use_new_zipfile_serialization=True), please torch.save your checkpoint with this option in order to use mmap.
```

Message (YOLO 8 and 11; `.pt file`):

```text
TypeError: model='yolov8n.onnx' should be a *.pt PyTorch model to run this method, but is a different format. PyTorch models can train, val, predict and export, i.e. 'model.train(data=...)', but exported formats like ONNX, TensorRT etc. only support 'predict' and 'val' modes
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"PytorchStreamReader failed locating file constants\.pkl|file not found: archive/constants\.pkl",
    odds=0.93,
)
def no_scripted_model(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive holds no TorchScript model: torch.load reads what torch.save wrote"
    )


@pitfall.explains(
    r"PytorchStreamReader failed locating file (?:archive_format|\.data/extern_modules)", odds=0.93
)
def no_exported_program(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive is no exported program or package: torch.export.load reads what torch.export.save wrote"
    )


SEEK = "torch.load takes a path or an open file: what it is given was loaded already, or is a stream, io.BytesIO(stream.read())"
pitfall.answers({"You can only torch.load from a file that is seekable": SEEK}, odds=0.96)


pitfall.answers(
    {
        "looks like a TorchScript archive dispatching to": "the file is a TorchScript model: torch.jit.load reads it",
        "mmap can only be used with files saved with": "the file is no zip archive, of before 1.6 or of another kind: without mmap=True, or save it anew",
        "must be a file path in order to use the mmap": "only a file on disk is mapped: give its path in place of an open file",
    },
    odds=0.95,
)


EXPORTED = "an exported model predicts and no more: train, resume and export from the .pt file that it was made of"
pitfall.answers(
    {"should be a *.pt PyTorch model to run this method, but is a different format": EXPORTED},
    odds=0.97,
)
