r"""A checkpoint was pickled under Python 2.

Python 2 wrote its byte strings without an encoding. Python 3 has to be told one when it reads them, and
what it guesses, UTF-8 or ASCII, stops at the first byte above 127: a name with an accent, or NumPy
data.

Cure: `torch.load(path, encoding="latin1", weights_only=False)`, which takes every byte as it is; save
the result once, and load that from then on.

Bad:

```python
import io
import pickle

import torch

file = io.BytesIO()
for part in (0x1950A86A20F9469CFC6C, 1001, {}):
    pickle.dump(part, file, 2)
file.write(b"\x80\x02}U\x04caf\xe9K\x01s.")
pickle.dump([], file, 2)
file.seek(0)
state = torch.load(file, weights_only=False)  # seen: a byte string of Python 2
```

Good:

```python
import io
import pickle

import torch

file = io.BytesIO()
for part in (0x1950A86A20F9469CFC6C, 1001, {}):
    pickle.dump(part, file, 2)
file.write(b"\x80\x02}U\x04caf\xe9K\x01s.")
pickle.dump([], file, 2)
file.seek(0)
state = torch.load(file, encoding="latin1", weights_only=False)
file = io.BytesIO()
torch.save(state, file)
```

Message (torch 0.4 to 1.0):

```text
Traceback (most recent call last):
  File "test.py", line 12, in <module>
    checkpoint = torch.load("model.pth")
  File "/usr/lib/python3.6/site-packages/torch/serialization.py", line 358, in load
    return _load(f, map_location, pickle_module)
  File "/usr/lib/python3.6/site-packages/torch/serialization.py", line 542, in _load
    result = unpickler.load()
UnicodeDecodeError: 'ascii' codec can't decode byte 0x8d in position 1: ordinal not in range(128)
```

Message (torch 2.13; `'rb'`):

```text
Traceback (most recent call last):
  File "/work/main.py", line 5, in <module>
    state = torch.load(open("model.pt"))
  File "/usr/lib/python3/site-packages/torch/serialization.py", line 1500, in load
    if _is_zipfile(opened_file):
  File "/usr/lib/python3/site-packages/torch/serialization.py", line 150, in _is_zipfile
    read_bytes = f.read(len(local_header_magic_number))
  File "<frozen codecs>", line 325, in decode
UnicodeDecodeError: 'utf-8' codec can't decode byte 0x80 in position 64: invalid start byte
```

Message (torch 1.6 to 2.13 under a Chinese Windows; `'rb'`):

```text
Traceback (most recent call last):
  File "D:\work\main.py", line 5, in <module>
    state = torch.load(open("model.pt"))
  File "C:\conda\lib\site-packages\torch\serialization.py", line 577, in load
    if _is_zipfile(opened_file):
  File "C:\conda\lib\site-packages\torch\serialization.py", line 60, in _is_zipfile
    byte = f.read(1)
UnicodeDecodeError: 'gbk' codec can't decode byte 0x80 in position 0: illegal multibyte sequence
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'(?P<codec>[\w-]{2,20})' codec can't decode byte (?P<byte>0x\w\w) in position \d+", odds=0.95
)
def bytes_without_encoding(failure: Failure) -> Hits:
    if not failure.passed_through("torch/serialization.py", "torch/_weights_only_unpickler.py"):
        return
    byte, last = failure.groups["byte"], failure.frames[-1]
    as_text = failure.groups["codec"] not in ("ascii", "utf-8") or "codecs" in last.posix
    if as_text or "f.read(" in last.text:
        yield failure.hit(
            f"the file was opened as text, which ends at the byte {byte}: open(path, 'rb'), or torch.load(path)"
        )
        return
    says = f"the byte {byte} stands in a text that Python 2 pickled"
    yield failure.hit(f'{says}: torch.load(..., encoding="latin1", weights_only=False)')


@pitfall.inspects("texts_of_python_2")
def text_of_python_2(checkpoint: Checkpoint) -> Hits:
    says = "the file holds texts that Python 2 wrote without an encoding"
    yield checkpoint.hit(f'{says}: pickle.load and torch.load need encoding="latin1"')
