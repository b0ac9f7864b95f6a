r"""A file was written by a newer PyTorch, or in a form for another loader.

Since 1.6 `torch.save` writes a zip archive, which 1.5 and before cannot read; a TorchScript archive is for
`torch.jit.load`. Operators, arguments and types that a newer version has written are not known to an older one, in an app
or a program in C++ as well: it compiles the code that the file holds, and shows it as `Serialized File "code/__torch__/...`.

Cure: update the PyTorch that loads; or write the file again with the newer one,
`torch.save(state, path, _use_new_zipfile_serialization=False)`; `torch.jit.load` for a scripted model.

Bad:

```python
import torch

model = torch.load("scripted.pt")
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file, _use_new_zipfile_serialization=False)
```

Message (torch 1.4 and 1.5; `1.6`):

```text
RuntimeError: version_ <= kMaxSupportedFileFormatVersion INTERNAL ASSERT FAILED at /pytorch/caffe2/serialize/inline_container.cc:132, please report a bug to PyTorch. Attempted to read a PyTorch file with version 3, but the maximum supported version for reading is 2. Your PyTorch installation may be too old.
```

Message (torch 1.0 to 1.5; `1.6`):

```text
RuntimeError: /models/net.pth is a zip archive (did you mean to use torch.jit.load()?)
```

Message (torch 1.1, as it is retyped; `1.6`):

```text
pretrained_model.pth is a zip archive(did you mean to use torch.jit.load()?)
```

Message (torch 1.3, the first error of a chain that ends with the one above; `tar archive`):

```text
  File "/env/lib/python3.7/tarfile.py", line 187, in nti
    n = int(s.strip() or "0", 8)
ValueError: invalid literal for int() with base 8: 'ightq\x02ct'
```

Message (other letters of the same; `tar archive`):

```text
ValueError: invalid literal for int() with base 8: '_rebuild'
```

Message (torch 1.8, of an operator that came later):

```text
RuntimeError: Unknown builtin op: aten::scaled_dot_product_attention.
```

Message (libtorch 1.0):

```text
terminate called after throwing an instance of 'torch::jit::script::ErrorReport'
  what():
unknown builtin op:
      dim0 = ops.prim.unchecked_unwrap_optional(0)
```

Message (libtorch 1.0 to 1.2):

```text
terminate called after throwing an instance of 'c10::Error'
  what():  INVALID_ARGUMENT:main_module.submodules[0][19]: Cannot find field. (deserialize at torch/csrc/jit/import.cpp:95)
```

Message (libtorch 1.7):

```text
RuntimeError: Unknown type name "NoneType":Serialized File "code/__torch__/core/update.py", line 1236
```

Message (torch 1.7 in an app, a model of torch 1.8; `NoneType`):

```text
com.facebook.jni.CppException:
Unknown type name 'NoneType':
Serialized   File "code/__torch__/torch/backends/_nnapi/prepare.py", line 15
  training : bool
  _is_full_backward_hook : NoneType
                           ~~~~~~~~ <--- HERE
```

Message (torch 1.6 in an app, a model of torch 1.7; `aten::_convolution with 13 arguments`):

```text
com.facebook.jni.CppException:

aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> (Tensor):
Expected at most 12 arguments but found 13 positional arguments.
:
/usr/local/lib/python3.6/dist-packages/torch/nn/modules/conv.py(420): _conv_forward
```

Message (torch 1.4 in an app, a model of torch 1.5; `aten::upsample_bilinear2d with 5 arguments`):

```text
com.facebook.jni.CppException:
Arguments for call are not valid.
The following variants are available:

  aten::upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners) -> (Tensor):
  Expected at most 3 arguments but found 5 positional arguments.
```

Message (an older torch in an app; `unchecked_cast`):

```text
com.facebook.jni.CppException:
undefined value unchecked_cast:
at code/__torch__/torch_scatter/scatter.py:42:18
```

Message (torch 1.0 to 2.13, of a program in C++):

```text
terminate called after throwing an instance of 'torch::jit::ErrorReport'
```

Message (torch 1.4, of a program in C++ under Windows):

```text
Unhandled exception at 0x00007FFF5D1CA839 in demo.exe: Microsoft C++ exception: torch::jit::script::ErrorReport at memory location 0x00000037EDCEEF30.
```

Message (torch 1.0, a file of another release of it):

```text
what():  memcmp("PYTORCH1", buf, kMagicValueLength) != 0 ASSERT FAILED at /pytorch/caffe2/serialize/inline_container.cc:75, please report a bug to PyTorch. File is an unsupported archive format from the preview release.
```

Message (libtorch 1.0; `torchvision registers`):

```text
terminate called after throwing an instance of 'torch::jit::script::ErrorReport'
  what():
unknown builtin op:
  keep = ops.torchvision.nms(boxes, scores, 0.5)
         ~~~~~~~~~~~~~~~~~~~ <--- HERE
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older PyTorch")

OWN = ("aten", "prim", "quantized", "prims", "internal")
"""Where PyTorch keeps its own operators."""


@pitfall.explains(
    r"Attempted to read a PyTorch file with version (?P<version>\d+), but the maximum supported",
    odds=0.97,
)
def newer_format(failure: Failure) -> Hits:
    version = failure.groups["version"]
    wanted = "1.6 or later" if version == "3" else "the version that wrote it"
    yield failure.hit(
        f"the file has format {version} and this PyTorch is too old for it: update to {wanted}"
    )


@pitfall.explains(
    r"zip archive ?\(did you mean to use torch\.jit\.load|unsupported archive format from the preview release",
    odds=0.93,
)
def zip_archive(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is a zip archive of PyTorch 1.6 or later, or a scripted model: update, or torch.jit.load"
    )


@pitfall.explains(
    r"with base 8: '[^'\n]{0,9}(?:_rebuil|ebuild_|uild_t|d_tens|_tensor|ensor_v|orch\._|h\._ut)",
    r"with base 8: '(?=[^'\n]{0,20}\\(?:x0|n))[^'\n]{0,20}?(?:ight|ias|2\\nq|\(\(X|q\\x0\dct)",
    odds=0.8,
)
def taken_for_a_tar(failure: Failure) -> Hits:
    """At this place a file of the former kind, which loads all the same, has the class of its dictionary."""
    yield failure.hit(
        "a PyTorch of before 1.6 took the zip archive of a newer one for a tar archive: update PyTorch, or write the file again with "
        "_use_new_zipfile_serialization=False"
    )


@pitfall.explains(
    r"Unknown builtin op: aten::(?P<op>\w+)",
    r"unknown builtin op:[^<]{0,600}?ops\.(?P<op>[\w.]+)",
    r"Cannot find field\. \((?P<op>deserialize) at",
    r"Unknown type name ['\"](?P<op>\w+)['\"]: ?Serialized File",
    r"undefined value (?P<op>\w{1,60}):\s?(?:at |Serialized File \")code/__torch__",
    odds=0.93,
)
def newer_operator(failure: Failure) -> Hits:
    op, (of, dot, _) = failure.groups["op"], failure.groups["op"].partition(".")
    if dot and of not in OWN:
        yield failure.hit(
            f"the scripted model uses {op}, which {of} registers: import it before loading, or link it into the program"
        )
        return
    yield failure.hit(
        f"the scripted model uses what this PyTorch does not have ({op}): update it, or save with its version"
    )


@pitfall.explains(
    r"(?P<op>aten::\w{1,60})\b[^:]{0,800}:\sExpected at most (?P<most>\d+) arguments but found (?P<found>\d+) positional",
    odds=0.95,
)
def newer_arguments(failure: Failure) -> Hits:
    op, most, found = (failure.groups[name] for name in ("op", "most", "found"))
    if failure.kind.endswith("CppException") or failure.shows("code/__torch__"):
        yield failure.hit(
            f"the scripted model calls {op} with {found} arguments, and this PyTorch takes {most}: update it (in an app org.pytorch too), or save with its version"
        )


@pitfall.explains(r"torch::jit::(?:script::)?ErrorReport\b", odds=0.6)
def refused_in_cpp(failure: Failure) -> Hits:
    yield failure.hit(
        "TorchScript could not compile the model that was loaded, and nothing caught what it says: catch it and print what(); an "
        "operator of a library that is not linked, or a model of a newer PyTorch"
    )
