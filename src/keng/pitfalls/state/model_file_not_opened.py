r"""A scripted model's file is not there, or cannot be opened.

`torch.jit.load` in Python, and `torch::jit::load` in C++, open the path as it is given, from the directory in which the program was started: that of an editor, of a service
or of a build is another one than that of the source. In C++ under Windows a path may arrive empty or garbled: Debug and Release builds of libtorch have other strings, and
a program of one kind cannot be linked with the other. Under Android what lies in `assets` is inside the APK and no file that a path leads to;
builds for phones leave the words of a message out.

Cure: an absolute path, `Path(__file__).parent / "model.pt"`; under Android a copy of the asset in `getFilesDir()`; print it and the current directory; a file and no folder; under Windows the
libtorch of the same configuration as the program.

Bad:

```python
import torch

model = torch.jit.load("model.pt")  # seen: `model.pt`
```

Good:

```python
from pathlib import Path

import torch

file = Path(__file__).parent / "model.pt2"
torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2),)), file)
model = torch.export.load(file).module()
```

Bad (a folder):

```python
import tempfile

import torch

model = torch.jit.load(tempfile.mkdtemp())  # seen: folder
```

Message (torch 2.13, from C++; `model.pt`):

```text
terminate called after throwing an instance of 'c10::Error'
  what():  open file failed because of errno 2 on fopen: No such file or directory, file path: model.pt
```

Message (torch 1.0 to 1.13, from C++; `model.pt`):

```text
terminate called after throwing an instance of 'c10::Error'
  what():  open file failed, file path: model.pt
```

Message (libtorch 2.13, Windows; `Debug`):

```text
load failed: open file failed because of errno 22 on fopen: Invalid argument, file path:
Exception raised from RAIIFile at C:\actions-runner\_work\pytorch\pytorch\caffe2\serialize\file_adapter.cc:31 (most recent call first):
```

Message (torch 1.4 to 1.8 for Android, which leaves the words out; `getFilesDir()`):

```text
com.facebook.jni.CppException: false CHECK FAILED at ../caffe2/serialize/file_adapter.cc (FileAdapter at ../caffe2/serialize/file_adapter.cc:11)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"The provided filename (?P<path>.{1,300}?) (?:does not exist|is a (?P<folder>directory))",
    odds=0.96,
)
def not_there(failure: Failure) -> Hits:
    path, folder = failure.groups["path"], failure.groups["folder"]
    if folder:
        yield failure.hit(f"`{path}` is a folder: the file in it, as torch.jit.save wrote it")
        return
    yield failure.hit(
        f"`{path}` is not there, seen from the directory in which the program runs: an absolute path"
    )


@pitfall.explains(
    r"\bopen file failed(?: because of errno \d+ on fopen: (?P<why>[^,\n]{3,80}))?, file path:(?: (?P<path>(?!Exception raised)\S{1,300}))?",
    odds=0.93,
)
def not_opened(failure: Failure) -> Hits:
    path, why = failure.groups["path"], failure.groups["why"] or "no reason is told"
    if path:
        yield failure.hit(
            f"`{path}` cannot be opened ({why}), seen from the directory in which the program runs: an absolute path"
        )
        return
    says = f"the path arrives empty ({why}): a Debug program with the Release build of libtorch, or the other way round"
    yield failure.hit(says, sure=False)  # or it was empty before


@pitfall.explains(r"CHECK FAILED at \S{0,200}serialize/file_adapter\.cc", odds=0.93)
def not_opened_on_a_phone(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no file at the path that the phone was given: an asset is copied to getFilesDir() first, and its absolute path goes to Module.load"
    )
