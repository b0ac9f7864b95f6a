r"""TensorBoard is missing, too old, or mixed up with TensorFlow.

`torch.utils.tensorboard` writes files by the package `tensorboard`, which PyTorch does not bring. It reaches files through TensorFlow where that is installed, and TensorFlow's module for
files lacks what embeddings ask for; one that is too old, or a folder that an uninstall has left, has no such module at all. `tensorboardX` has a writer of the same
name that knows other methods.

Cure: `pip install -U tensorboard` with the Python that runs; for embeddings beside TensorFlow `tensorflow.io.gfile = tensorboard.compat.tensorflow_stub.io.gfile` before, or
an environment without TensorFlow, where its folder in `site-packages` is gone too.

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

Message (torch 1.2 to 2.13, beside what is left of a TensorFlow; `pip uninstall tensorflow`):

```text
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    writer = SummaryWriter(log_dir)
  File "/env/lib/python3.10/site-packages/torch/utils/tensorboard/writer.py", line 246, in __init__
    self._get_file_writer()
  File "/env/lib/python3.10/site-packages/tensorboard/summary/writer/event_file_writer.py", line 72, in __init__
    if not tf.io.gfile.exists(logdir):
AttributeError: module 'tensorflow' has no attribute 'io'
```

Message (torch 1.2 to 2.13, beside an old TensorFlow; `too old`):

```text
Traceback (most recent call last):
  File "train.py", line 532, in <module>
    tb_writer = SummaryWriter(comment=opt.name)
  File "/env/lib/python3.5/site-packages/tensorboard/summary/writer/event_file_writer.py", line 76, in __init__
    if not tf.io.gfile.exists(logdir):
AttributeError: module 'tensorflow.io' has no attribute 'gfile'
```

Message (torch 1.1 to 2.13, by code for tensorboardX; `tensorboardX`):

```text
AttributeError: 'SummaryWriter' object has no attribute 'export_scalars_to_json'
```

Message (tensorboardX 1.7; `add_hparams`):

```text
AttributeError: 'SummaryWriter' object has no attribute 'add_hparams'
```
"""

import re

from keng.explain.failure import Failure
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
            "torch.utils.tensorboard wants the package, 1.15 or newer, in the Python that runs, as torchrun's: python -m pip install -U tensorboard"
        )


@pitfall.explains(r"'tensorflow[\w.]*\.io\.gfile' has no attribute 'get_filesystem'", odds=0.95)
def files_of_tensorflow(failure: Failure) -> Hits:
    yield failure.hit(
        "TensorFlow is installed, and its gfile is used: tensorflow.io.gfile = tensorboard.compat.tensorflow_stub.io.gfile before"
    )


WRITES = re.compile(r"[Tt]ensor[Bb]oard|SummaryWriter|[Tt]orch|\bDefaultTrainer\(|\bTrainer\(")
"""What shows that TensorBoard asks, and no program of TensorFlow's."""


@pitfall.explains(
    r"module '(?P<what>tensorflow(?:(?:\._api\.v1)?\.io)?)' has no attribute '(?:io|gfile)'",
    odds=0.93,
)
def left_of_tensorflow(failure: Failure) -> Hits:
    shown = (failure.message, failure.around, *(f"{f.path} {f.text}" for f in failure.frames))
    if any(map(WRITES.search, shown)):
        yield failure.hit(
            "TensorBoard takes the `tensorflow` that it finds, which is too old or what an uninstall has left: pip uninstall tensorflow and delete its folder, or a newer one"
        )


@pitfall.explains(
    r"'SummaryWriter' object has no attribute '(?P<what>export_scalars_to_json|add_(?:hparams|mesh|tensor)|flush|get_logdir)'",
    odds=0.95,
)
def of_the_other_writer(failure: Failure) -> Hits:
    what = failure.groups["what"]
    says = "came later than what is installed: pip install -U tensorboardX, or a newer torch"
    if what == "export_scalars_to_json":
        says = "is of tensorboardX, and this is the writer of torch.utils.tensorboard: import that of tensorboardX, or leave the call out"
    yield failure.hit(f"`{what}` of a SummaryWriter {says}")
