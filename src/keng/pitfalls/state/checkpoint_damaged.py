r"""A checkpoint file is cut off, or is something else.

A checkpoint of today is a zip archive whose table of contents stands at the end: a file that was cut
off, by a full disk, a killed run or a broken download, has lost it. What begins with `<` is a web page,
what begins with `version https://git-lfs` is a pointer to the real file, and an empty file is a save
that never came to writing.

Cure: look at its size and its first bytes, fetch it again (`git lfs pull`, not the page but the file).
Save to another name and rename, so that a crash leaves the old file whole.

Bad (cut off):

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(100)}, file)
half = io.BytesIO(file.getvalue()[: len(file.getvalue()) // 2])
state = torch.load(half)  # seen: the second half is missing
```

Bad (cut off, in the format from before 1.6):

```python
import io

import torch

file = io.BytesIO()
torch.save(torch.ones(100), file, _use_new_zipfile_serialization=False)
cut = io.BytesIO(file.getvalue()[:-40])
state = torch.load(cut)  # seen: 40 bytes are missing
```

Bad (a Git LFS pointer):

```python
import io

import torch

pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
state = torch.load(io.BytesIO(pointer))  # seen: 70 bytes of text
```

Bad (a web page):

```python
import io

import torch

page = b"<!DOCTYPE html><html><body>Sign in</body></html>"
state = torch.load(io.BytesIO(page), weights_only=False)  # seen: no checkpoint
```

Bad (an empty file):

```python
import io

import torch

state = torch.load(io.BytesIO(b""), weights_only=False)  # seen: 0 bytes
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(100)}, file)
file.seek(0)
state = torch.load(file)
```

Message (torch 1.6 to 2.13):

```text
RuntimeError: PytorchStreamReader failed reading file data/12: file read failed
```

Message (torch 1.0 to 1.5):

```text
RuntimeError: unexpected EOF, expected 16384 more bytes. The file might be corrupted.
```

Message (torch 2.13, an empty file):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    state = torch.load("model.pt")
  File "/opt/venv/lib/python3.11/site-packages/torch/serialization.py", line 1554, in load
    return _legacy_load(
  File "/opt/venv/lib/python3.11/site-packages/torch/_weights_only_unpickler.py", line 331, in load
    raise EOFError
EOFError
```

Message (safetensors 0.3 to 0.7; `Git LFS pointer`):

```text
safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge
```

Message (safetensors 0.8, cut off):

```text
SafetensorError: Error while deserializing header: invalid header length
```

Message (torch 1.0 to 1.5):

```text
RuntimeError: storage has wrong size: expected 4 got 512
```

Message (torch 1.0 to 2.5; `first bytes`):

```text
_pickle.UnpicklingError: unpickling stack underflow
```

Message (torch 1.6 to 2.13, a zip archive of something else; `.npz`):

```text
RuntimeError: Expected hasRecord("version") to be true, but got false.
```

Message (an older torch):

```text
RuntimeError: storage has wrong size: expected -4712 got 64
```

Message (torch 0.1 to 1.5; `no checkpoint`):

```text
Traceback (most recent call last):
  File "train.py", line 254, in main
    checkpoint = torch.load(opt.load_from, map_location="cpu")
  File "/usr/local/lib/python2.7/dist-packages/torch/serialization.py", line 369, in _load
    magic_number = pickle_module.load(f)
cPickle.UnpicklingError: could not find MARK
```

Message (torch 1.0 to 2.13; `cut off`):

```text
Traceback (most recent call last):
  File "test.py", line 31, in main
    state = torch.load("last.pth")
  File "/env/lib/python3.8/site-packages/torch/serialization.py", line 920, in _legacy_load
    magic_number = pickle_module.load(f, **pickle_load_args)
_pickle.UnpicklingError: pickle data was truncated
```

Message (torch 1.0 to 2.5, what a link to a file gave; `line break`):

```text
  File "/usr/local/lib/python3.7/site-packages/fastai/basic_train.py", line 598, in load_learner
    state = torch.load(source, map_location='cpu') if defaults.device == torch.device('cpu') else torch.load(source)
  File "/usr/local/lib/python3.7/site-packages/torch/serialization.py", line 564, in _load
    magic_number = pickle_module.load(f, **pickle_load_args)
_pickle.UnpicklingError: invalid load key, '\x0a'.
```

Message (torch 1.0; `path`):

```text
RuntimeError: [enforce fail at inline_container.cc:130] . PytorchStreamReader failed opening archive.
```

Message (torch 2.6 to 2.13, a text file; `first bytes`):

```text
Traceback (most recent call last):
  File "/home/u/test.py", line 3, in <module>
    state = torch.load("weights.pt")
  File "/opt/conda/lib/python3.11/site-packages/torch/serialization.py", line 1644, in load
    return _legacy_load(
  File "/opt/conda/lib/python3.11/site-packages/torch/_weights_only_unpickler.py", line 474, in load
    self.append(self.memo[idx])
KeyError: 101
```

Message (torch 2.13, an array of NumPy; `.npz`):

```text
RuntimeError: [enforce fail at inline_container.cc:180] . file in archive is not in a subdirectory: x.npy
```

Message (torch 2.13, read by torch.jit.load; `no TorchScript archive`):

```text
Traceback (most recent call last):
  File "/work/main.py", line 5, in <module>
    model = torch.jit.load("model.pth")
  File "/usr/lib/python3/site-packages/torch/jit/_serialization.py", line 168, in load
    cpp_module = torch._C.import_ir_module(
RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory
```

Message (before torch read them itself; `safetensors.torch.load_file`):

```text
Traceback (most recent call last):
  File "/work/main.py", line 5, in <module>
    state = torch.load("model.safetensors")
  File "/usr/lib/python3/site-packages/torch/serialization.py", line 1384, in load
    return _legacy_load(opened_file, map_location, pickle_module, **pickle_load_args)
_pickle.UnpicklingError: invalid load key, '\xe0'.
```

Message (torch 2.13, weights_only=False; `h5py`):

```text
_pickle.UnpicklingError: invalid load key, 'H'.
```

Message (torch 2.13; `no checkpoint of torch.save`):

```text
_pickle.UnpicklingError: invalid load key, '\xe0'.
```

Message (Transformers 4; `130`):

```text
OSError: Unable to load weights from pytorch checkpoint file for './model' at './model/pytorch_model.bin'. If you tried to load a PyTorch model from a TF 2.0 checkpoint, please set from_tf=True.
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.file_signatures import told_of

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"PytorchStreamReader failed (?:reading (?:zip archive(?!: file in)|file)|finding central directory)",
    r"unexpected EOF(?:, expected (?P<more>\d+) more bytes)?\. The file might be corrupted",
    r"storage has wrong (?:byte )?size: expected -?\d+ got",
    odds=0.97,
)
def cut_off(failure: Failure) -> Hits:
    more = failure.groups.get("more", "")
    lacks = f"{more} bytes are missing at its end" if more else "its end is missing or damaged"
    cure = "delete it, from a cache too, and fetch it again; one's own was not written to its end, or by several ranks at once"
    if any(map(failure.shows, ("jit.load", "jit::load", "torch/jit/_serialization.py"))):
        cure = "or it is no TorchScript archive, as a Git LFS pointer, or a checkpoint of before 1.6, for torch.load"
    yield failure.hit(f"the file is no whole checkpoint, {lacks}: {cure}")


@pitfall.explains(
    r"Expected hasRecord\(.version.\) to be true|file in archive is not in a subdirectory",
    odds=0.96,
)
def another_archive(failure: Failure) -> Hits:
    says = "the archive is whole, and torch.save has not written it: packed by hand, or of another program (.npz, .keras, an agent's .zip): unpack it, or read it by what wrote it"
    yield failure.hit(says)


@pitfall.explains(r"PytorchStreamReader failed opening archive", odds=0.93)
def not_opened(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no archive of that name, or it is cut off: look at the path first, which PyTorch 1.0 does not tell"
    )


@pitfall.explains(
    r"invalid load key, '(?P<first>\\x\w\w|.)'",
    r"WeightsUnpickler error:\s{1,9}Unsupported operand (?P<code>(?!14\d|15[01])\d{1,3})\b",
    odds=0.9,
)
def something_else(failure: Failure) -> Hits:
    code = int(failure.groups.get("code") or 0)
    first = failure.groups.get("first") or (chr(code) if 31 < code < 127 else f"\\x{code:02x}")
    what, sure = told_of(first, failure.shows(".safetensors"))
    yield failure.hit(f"the file begins with `{first}`: it is {what}", sure=sure)


@pitfall.explains(
    r"Error while deserializing header: (?P<why>[Hh]eader ?[Tt]oo ?(?:[Ll]arge|[Ss]mall)|[Ii]nvalid[ \w]+|[Mm]etadata ?[Ii]ncomplete|incomplete metadata)",
    odds=0.9,
)
def header_of_something_else(failure: Failure) -> Hits:
    says = "the file is no whole safetensors: fetch it again"
    if failure.groups["why"].lower().replace(" ", "") == "headertoolarge":
        says = "the file is no safetensors, most often a Git LFS pointer or a web page, or a .bin under that name: git lfs pull, or fetch it anew"
    yield failure.hit(says)


@pitfall.explains(
    r"could not find MARK|pickle data was (?P<cut>truncated)|unregistered extension code|^KeyError: \d{1,3}$",
    r"(?P<torchs>unpickling stack underflow|Unable to load weights from pytorch checkpoint file)",
    odds=0.9,
)
def pickle_is_lost(failure: Failure) -> Hits:
    cut = "cut off" if failure.groups.get("cut") else "no checkpoint, or a damaged one"
    if failure.groups.get("torchs") or failure.passed_through("torch/serialization.py"):
        yield failure.hit(
            f"the file is {cut}: look at its size and first bytes (a Git LFS pointer has about 130), fetch it again"
        )


@pitfall.explains(r"Ran out of input", r"(?:^|\n)EOFError\s*$", odds=0.7)
def empty(failure: Failure) -> Hits:
    says = "the file is empty, as its writing or download was broken off: delete it and save or fetch it anew; or a stream stands at its end: file.seek(0) before torch.load"
    yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


@pitfall.inspects("broken")
def not_whole(checkpoint: Checkpoint) -> Hits:
    count = len(checkpoint.tensors)
    says = "it is no checkpoint that torch loads"
    if count or checkpoint.format == "zip":
        says = "it is not whole: `keng ckpt salvage` writes what can still be read of it"
    yield checkpoint.hit(says, bytes=checkpoint.nbytes, tensors=count)
