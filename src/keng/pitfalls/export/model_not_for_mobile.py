r"""A model is saved for another interpreter than the phone's.

PyTorch for Android and iOS brings a small interpreter, which reads bytecode (`bytecode.pkl`) and holds only operators of its build. `torch.jit.save` and
`torch.save` write no bytecode; `_save_for_lite_interpreter` writes it in the version of the PyTorch that saves, and the library in the app
is often older than that. The full interpreter on the other hand reads what `torch.jit.save` wrote, and no state_dict.

Cure: `torch.jit.script(model.eval())._save_for_lite_interpreter("model.ptl")` and `LiteModuleLoader.load` on the phone; the same PyTorch on both
sides, or `torch.jit.mobile._backport_for_mobile(old, new, version)`; a build with all operators where one is missing. What comes
after it is ExecuTorch.

Bad:

```python
import io

import torch
from torch.jit.mobile import _load_for_lite_interpreter

file = io.BytesIO()
torch.jit.save(torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2)), file)
file.seek(0)
_load_for_lite_interpreter(file)  # seen: `_save_for_lite_interpreter`
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.export.save(torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),)), file)
file.seek(0)
torch.export.load(file)
```

Message (torch 1.9 to 2.13, the app is older; `bytecode of version 8`):

```text
com.facebook.jni.CppException: Lite Interpreter version number does not match. The model version must be between 3 and 7 but the model version is 8 ()
```

Message (torch 1.8, the app is older; `bytecode of version 7`):

```text
com.facebook.jni.CppException: Lite Interpreter verson number does not match. The model version must be between 3 and 5But the model version is 7 ()
```

Message (torch 1.9, the app lacks operators; `torchvision::roi_align`):

```text
com.facebook.jni.CppException: Following ops cannot be found {torchvision::roi_align, torchvision::nms, } ()
```

Message (torch 1.8 to 1.13, the app lacks an operator; `aten::_slow_conv2d_forward`):

```text
com.facebook.jni.CppException: Following ops cannot be found: {'aten::_slow_conv2d_forward'}. Check fburl.com/missing_ops for the fix.
```

Message (torch 2.0 to 2.13, the same):

```text
Following ops cannot be found: [aten::_convolution_mode, ]. Please check if the operator library is included in the build. If built with selected ops, check if these ops are in the list.
```

Message (torch 1.4 in the app; `of this app`):

```text
com.facebook.jni.CppException: version_ <= kMaxSupportedFileFormatVersion INTERNAL ASSERT FAILED at ../caffe2/serialize/inline_container.cc:132, please report a bug to PyTorch.
```

Message (the app, where the package holds the lite interpreter alone; `pytorch_android`):

```text
java.lang.UnsatisfiedLinkError: dlopen failed: library "libpytorch_jni.so" not found
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"failed locating file bytecode\.pkl", odds=0.97)
def no_bytecode(failure: Failure) -> Hits:
    yield failure.hit(
        "the file holds no bytecode, which the small interpreter reads: save it by _save_for_lite_interpreter, or load it by the full one"
    )


@pitfall.explains(
    r"The model version must be between (?P<least>\d+) and (?P<most>\d+) ?[Bb]ut the model version is (?P<version>\d+)",
    odds=0.97,
)
def bytecode_of_another_version(failure: Failure) -> Hits:
    least, most, version = (failure.groups[name] for name in ("least", "most", "version"))
    yield failure.hit(
        f"the model is bytecode of version {version}, and the app reads {least} to {most}: the same PyTorch on both sides, or "
        "torch.jit.mobile._backport_for_mobile"
    )


@pitfall.explains(
    r"Following ops cannot be found\b.{0,200}?(?P<name>\w+::[\w.]+)",
    odds=0.95,
)
def operator_not_in_the_app(failure: Failure) -> Hits:
    yield failure.hit(
        f"the app's library has no `{failure.groups['name']}`: the same PyTorch in the app as saved the model, built with all its operators"
    )


@pitfall.explains(
    r"(?:library|find|load:) \"?(?P<file>libpytorch_jni(?P<lite>_lite)?\.so)", odds=0.93
)
def library_of_the_other(failure: Failure) -> Hits:
    file, lite = failure.groups["file"], failure.groups["lite"]
    wanted = (
        "LiteModuleLoader wants pytorch_android_lite" if lite else "Module wants pytorch_android"
    )
    yield failure.hit(
        f"the app has no {file}: {wanted} in build.gradle, and a model saved for that interpreter"
    )


@pitfall.explains(r"version_ <= kMaxSupportedFileFormatVersion", odds=0.9)
def app_too_old(failure: Failure) -> Hits:
    yield failure.hit(
        "the model was saved by a newer PyTorch than that of this app: update pytorch_android"
    )
