r"""A checkpoint cannot be written.

`torch.save` writes into a folder that must be there and be writable, on a disk that must have room to the end. A
full disk or a spent quota is told in the words of the archive's writer ("unexpected pos", "file write failed"); what
is left is a file that cannot be read.

Cure: `Path(path).parent.mkdir(parents=True, exist_ok=True)`; `df -h` and `quota`; write to a name aside and rename it when
it is whole; keep fewer checkpoints.

Bad (into a folder):

```python
import tempfile

import torch

folder = tempfile.mkdtemp()
torch.save(torch.ones(2), folder)  # seen: `folder`
```

Good:

```python
import tempfile
from pathlib import Path

import torch

file = Path(tempfile.mkdtemp()) / "runs" / "weights.pt"
file.parent.mkdir(parents=True, exist_ok=True)
torch.save(torch.ones(2), file)
```

Message (torch 1.6 to 2.13; `no room`):

```text
RuntimeError: [enforce fail at inline_container.cc:595] . unexpected pos 4992 vs 4886
```

Message (torch 1.6 to 2.13; `no room`):

```text
RuntimeError: [enforce fail at inline_container.cc:588] . PytorchStreamWriter failed writing file data/2: file write failed
```

Message (torch 2.0 to 2.13; `os.makedirs`):

```text
RuntimeError: Parent directory ./checkpoints does not exist.
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: File ./checkpoints/last.pt cannot be opened.
```

Message (torch 1.6 to 2.0):

```text
RuntimeError: basic_ios::clear: iostream error
```

Message (torch 1.12 to 2.13; `exchanged`):

```text
AttributeError: expected 'f' to be string, path, or a file-like object with a 'write' attribute
```

Message (torch 1.0 to 1.5; `no path`):

```text
Traceback (most recent call last):
  File "train.py", line 358, in train
    torch.save(ckpt, last)
  File "/env/lib/python3.7/site-packages/torch/serialization.py", line 396, in _legacy_save
    pickle_module.dump(MAGIC_NUMBER, f, protocol=pickle_protocol)
TypeError: file must have a 'write' attribute
```

Message (torch 1.10 to 2.13; `clone()`):

```text
RuntimeError: Cannot save multiple tensors or storages that view the same data as different types
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"inline_container\.cc:\d+\] ?\. unexpected pos \d+ vs \d+",
    r"PytorchStreamWriter failed writing",
    r"basic_ios::clear: iostream error",
    odds=0.93,
)
def no_room(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no room for the whole file, or the disk went away: df -h and quota; what was written is torn"
    )


@pitfall.explains(
    r"Parent directory (?P<folder>\S{1,300}) does not exist",
    r"\bFile \S{1,300} cannot be opened",
    r"inline_container\.cc:\d+\] ?\. open file failed with strerror: (?P<why>[\w ]{3,60})",
    odds=0.95,
)
def no_such_folder(failure: Failure) -> Hits:
    why, folder = failure.groups.get("why", "").strip(), failure.groups.get("folder")
    if folder:
        yield failure.hit(
            f"the file's folder is not there, seen from where the program runs: os.makedirs('{folder}', exist_ok=True) before"
        )
        return
    yield failure.hit(
        f"the file cannot be made{f' ({why.lower()})' if why else ''}: its folder is not there or may not be written, it is a folder itself, or its "
        "name has what the system forbids, as : under Windows"
    )


ORDER = "torch.save takes the object first and the file second: the two are exchanged, or the file is no path"
pitfall.answers({"path, or a file-like object with a 'write' attribute": ORDER}, odds=0.96)


@pitfall.explains(r"file must have a 'write' attribute", odds=0.96)
def into_no_file(failure: Failure) -> Hits:
    if any(frame.path.endswith("serialization.py") for frame in failure.frames):
        yield failure.hit(ORDER)


pitfall.answers(
    {
        "that view the same data as different types": "two of the tensors share their memory as numbers of two kinds, as x.view(torch.int32) makes them: clone() one"
    },
    odds=0.96,
)
