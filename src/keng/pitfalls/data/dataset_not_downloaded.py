r"""A dataset of torchvision is not in its folder, or not whole.

`MNIST(root)` looks for its files below `root`, as `root/MNIST/raw/...`, and compares their checksums. They are not there before the
first `download=True`, not there from another working directory, and not right after a download that broke off. On a cluster
whose nodes have no network the download fails itself.

Cure: `download=True` once, where there is a network, and the same absolute `root` everywhere; delete a file that was broken off first.

Bad:

```python
import tempfile

from torchvision.datasets import MNIST

with tempfile.TemporaryDirectory() as root:
    digits = MNIST(root)  # seen: `download=True`
```

Good:

```python
from torchvision.datasets import FakeData

digits = FakeData(size=4)
```

Message (torchvision; `download=True`):

```text
RuntimeError: Dataset not found. You can use download=True to download it
```

Message (torchvision; `delete`):

```text
RuntimeError: Dataset not found or corrupted. You can use download=True to download it
```

Message (torchvision; `delete`):

```text
RuntimeError: File not found or corrupted.
```

Message (torchvision; `train-images-idx3-ubyte.gz`):

```text
RuntimeError: Error downloading train-images-idx3-ubyte.gz
```

Message (torchvision 0.4 to 0.24; `ILSVRC2012_devkit_t12.tar.gz`):

```text
RuntimeError: The archive ILSVRC2012_devkit_t12.tar.gz is not present in the root directory or is corrupted. You need to download it externally and place it in ./imagenet.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchvision")


@pitfall.explains(r"Dataset not found\. You can use download=True", odds=0.95)
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        "its files are not below the root that was given, seen from this directory: download=True once"
    )


@pitfall.explains(
    r"Dataset not found or corrupted\. You can use download=True",
    r"(?:^|Error: )File not found or corrupted\.",
    odds=0.93,
)
def not_whole(failure: Failure) -> Hits:
    yield failure.hit(
        "its files are not there or broken off: delete what is there, and download=True again, or put them there by hand where the host sends a page in their place"
    )


@pitfall.explains(r"(?:^|Error: )Error downloading (?P<file>[\w-]{1,80}\.[\w.-]{2,40})", odds=0.93)
def not_fetched(failure: Failure) -> Hits:
    yield failure.hit(
        f"no mirror gave {failure.groups['file']}: fetch it where there is a network, into root/.../raw"
    )


@pitfall.explains(
    r"The archive (?P<file>[\w.-]{3,120}) is not present in the root directory or is corrupted",
    odds=0.97,
)
def not_fetched_by_hand(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} is never fetched by itself: download it by hand and put it, packed, into root"
    )
