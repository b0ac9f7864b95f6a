r"""A file was written by a newer PyTorch, or in a form for another loader.

Since 1.6 `torch.save` writes a zip archive, which 1.5 and before cannot read; a TorchScript archive is for
`torch.jit.load`. Operators and classes that a newer version has written are not known to an older one.

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
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older PyTorch")


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
    odds=0.85,
)
def newer_operator(failure: Failure) -> Hits:
    yield failure.hit(
        f"the scripted model uses what this PyTorch does not have ({failure.groups['op']}): update it, or save with its version"
    )


@pitfall.explains(r"torch::jit::(?:script::)?ErrorReport\b", odds=0.6)
def refused_in_cpp(failure: Failure) -> Hits:
    yield failure.hit(
        "TorchScript could not compile the model that was loaded, and nothing caught what it says: catch it and print what(); an "
        "operator of a library that is not linked, or a model of a newer PyTorch"
    )
