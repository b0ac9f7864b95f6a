r"""TensorBoard is missing, too old, or mixed up with TensorFlow.

`torch.utils.tensorboard` writes files by the package `tensorboard`, which PyTorch does not bring. It reaches files through TensorFlow where that is installed, and TensorFlow's module for
files lacks what embeddings ask for.

Cure: `pip install -U tensorboard` with the Python that runs; for embeddings beside TensorFlow `tensorflow.io.gfile = tensorboard.compat.tensorflow_stub.io.gfile` before, or
an environment without TensorFlow.

Bad:

```python
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
```

Good:

```python
import importlib.util

print(importlib.util.find_spec("tensorboard") is not None)
```

Message (torch 1.2 to 2.13; `pip install`):

```text
ImportError: TensorBoard logging requires TensorBoard version 1.15 or above
```

Message (torch 1.2 to 2.13; `pip install`):

```text
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    from torch.utils.tensorboard import SummaryWriter
  File "/env/lib/python3.10/site-packages/torch/utils/tensorboard/__init__.py", line 1, in <module>
    import tensorboard
ModuleNotFoundError: No module named 'tensorboard'
```

Message (torch 1.3 to 2.13, beside TensorFlow 2; `gfile`):

```text
AttributeError: module 'tensorflow._api.v2.io.gfile' has no attribute 'get_filesystem'
```

Message (torch 1.1 to 1.3, and its own file named tensorboard.py):

```text
ImportError: TensorBoard logging requires TensorBoard with Python summary writer installed. This should be available in 1.14 or above
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an environment without TensorBoard")


@pitfall.explains(
    r"TensorBoard logging requires TensorBoard (?:version|with)",
    r"No module named 'tensorboard'",
    odds=0.95,
)
def not_installed(failure: Failure) -> Hits:
    if "logging" in failure.message or failure.beside_torch:
        yield failure.hit(
            "torch.utils.tensorboard wants the package, 1.15 or newer: pip install -U tensorboard"
        )


@pitfall.explains(r"'tensorflow[\w.]*\.io\.gfile' has no attribute 'get_filesystem'", odds=0.95)
def files_of_tensorflow(failure: Failure) -> Hits:
    yield failure.hit(
        "TensorFlow is installed, and its gfile is used: tensorflow.io.gfile = tensorboard.compat.tensorflow_stub.io.gfile before"
    )
