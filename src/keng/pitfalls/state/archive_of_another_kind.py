r"""A file is read by another function than the one it was written for.

`torch.save`, `torch.jit.save` and `torch.export.save` all write a zip archive, with other things in it. `torch.jit.load` looks for the
code of a scripted model, which a state dict has not, and reports the archive as damaged though it is whole. What `pickle.dump` wrote is no
file of `torch.save`, even where tensors are in it: `torch.load` reads it to its end and then asks whether the file is corrupt.

Cure: `torch.load` for what `torch.save` wrote, with the model built before; `torch.jit.load` for `torch.jit.script(model).save(path)` alone;
`pickle.load` for a pickle whose writer is trusted, or `keng ckpt convert x.pkl x.pt`, which runs nothing of it; `keng ckpt show FILE`
says what a file is.

Bad:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
model = torch.jit.load(file)  # seen: `torch.load`
```

Bad (pickled):

```python
import io
import pickle

import torch

file = io.BytesIO(pickle.dumps({"weight": torch.ones(2)}))
state = torch.load(file, weights_only=False)  # seen: `pickle.load`
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

Message (torch 0.4 to 2.13; `pickle.load`):

```text
RuntimeError: Invalid magic number; corrupt file?
```

Message (torch 2.13, a state dict that pickle.dump wrote; `pickle.load`):

```text
_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.
        (1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.
        (2) Alternatively, to load with `weights_only=True` please check the recommended steps in the following error message.
        WeightsUnpickler error: Unsupported global: GLOBAL torch.storage._load_from_bytes was not an allowed global by default. Please use `torch.serialization.add_safe_globals([torch.storage._load_from_bytes])` or the `torch.serialization.safe_globals([torch.storage._load_from_bytes])` context manager to allowlist this global if you trust this class/function.
```

Message (torch 1.0 to 2.13; `loaded already`):

```text
AttributeError: 'dict' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.
```

Message (torch 1.6, called as torch.save is; `a Classifier`):

```text
torch.nn.modules.module.ModuleAttributeError: 'Classifier' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.
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

from keng.ckpt.checkpoint import Checkpoint
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"PytorchStreamReader failed locating file constants\.pkl|file not found: archive/constants\.pkl",
    odds=0.93,
)
def no_scripted_model(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive holds no TorchScript model: torch.load reads what torch.save wrote; C++ and phones want torch.jit.script(model).save(path), from Python"
    )


@pitfall.explains(
    r"PytorchStreamReader failed locating file (?:archive_format|\.data/extern_modules)", odds=0.93
)
def no_exported_program(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive is no exported program or package: torch.export.load reads what torch.export.save wrote"
    )


PICKLED = "the file is a pickle, and torch.save wrote none of it"
READ = "pickle.load reads it if its writer is trusted, and `keng ckpt convert` makes a file of it that torch.load takes"


@pitfall.explains(
    r"Invalid magic number; corrupt file\?",
    r"Unsupported (?:global: GLOBAL|class) torch\.storage\._load_from_bytes",
    odds=0.96,
)
def pickled(failure: Failure) -> Hits:
    yield failure.hit(f"{PICKLED}: {READ}")


@pitfall.inspects("refused")
def pickled_tensors(checkpoint: Checkpoint) -> Hits:
    plain = checkpoint.format == "pickle" and checkpoint.tensors and not checkpoint.broken
    if plain and not any(name.module.startswith("joblib.") for name in checkpoint.imports):
        yield checkpoint.hit(f"{PICKLED}: {READ}")


SEEK = "torch.load takes a path or an open file: what it is given was loaded already, or is a stream, io.BytesIO(stream.read())"


@pitfall.explains(
    r"(?:'(?P<kind>\w+)' object )?(?:has no attribute '\w+'\. )?You can only torch\.load from a file that is seekable",
    odds=0.96,
)
def no_file(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or ""
    if kind == "NoneType":
        yield failure.hit(
            "torch.load is given None: what looks for the file, or keeps its path, has none"
        )
    elif failure.kind.endswith("ModuleAttributeError"):
        yield failure.hit(
            f"torch.load takes the path first, and is given a {kind}, a model: torch.save(model, path), model = torch.load(path)"
        )
    else:
        yield failure.hit(SEEK)


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
