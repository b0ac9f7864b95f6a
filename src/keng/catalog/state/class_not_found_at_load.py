r"""A pickled model is loaded where its class is not.

A model that was saved whole is pickled as the name of its class and module. `torch.load` imports that name: the module must
be importable under the very same name, and a class that was defined in the script or notebook that saved it is
sought in the program that loads. Repositories that were renamed or rearranged since then break their old files so.

Cure: import or define the class before loading; run from the repository that wrote the file, in its version, and save
`model.state_dict()` there; `keng ckpt show FILE` tells what is in it without running it.

Bad:

```python
import io
import sys
import types

import torch
from torch import nn

old = types.ModuleType("old_models")
old.Net = type("Net", (nn.Linear,), {"__module__": "old_models"})
sys.modules["old_models"] = old
file = io.BytesIO()
torch.save(old.Net(2, 2), file)
del old.Net
file.seek(0)
model = torch.load(file, weights_only=False)  # seen: `Net`
```

Good:

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(2, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(2, 2)
model.load_state_dict(torch.load(file))
```

Message (torch 1.0 to 2.13, of a script; `Net`):

```text
AttributeError: Can't get attribute 'Net' on <module '__main__' from 'predict.py'>
```

Message (torch 1.0 to 2.13, the package is not there; `models`):

```text
Traceback (most recent call last):
  File "predict.py", line 5, in <module>
    model = torch.load("best.pt")
  File "/env/lib/python3.9/site-packages/torch/serialization.py", line 607, in load
    return _load(opened_zipfile, map_location, pickle_module, **pickle_load_args)
  File "/env/lib/python3.9/site-packages/torch/serialization.py", line 882, in _load
    result = unpickler.load()
  File "/env/lib/python3.9/site-packages/torch/serialization.py", line 875, in find_class
    return super().find_class(mod_name, name)
ModuleNotFoundError: No module named 'models'
```

Message (torch 1.0 to 2.13, a warning):

```text
SourceChangeWarning: source code of class 'torch.nn.modules.conv.Conv2d' has changed. you can retrieve the original source code by accessing the object's source attribute or set `torch.nn.Module.dump_patches = True` and use the patch tool to revert the changes.
```

Message (torch 0.2 under Python 2; `models`):

```text
Traceback (most recent call last):
  File "/home/u/encode.py", line 3, in <module>
    encoder = torch.load("encoder.pickle")
  File "/env/lib/python2.7/site-packages/torch/serialization.pyc", line 379, in _load
    result = unpickler.load()
ImportError: No module named models
```

Message (torch 1.0 to 2.13, from a notebook; `models`):

```text
----> 3 model = torch.load('best.pt')

ModuleNotFoundError: No module named 'models'
```

Message (ultralytics 8.1 and later, a checkpoint of before; `ultralytics.yolo`):

```text
import torch
from torch.utils.mobile_optimizer import optimize_for_mobile

model = torch.load('best.pt', map_location="cpu")
model.eval()

ModuleNotFoundError: No module named 'ultralytics.yolo'
```
"""

import re

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

FINDS = "super().find_class(mod_name, name)"
"""The line of torch/serialization.py that imports what a file names."""

OF_A_REPOSITORY = re.compile(
    r"\w+\.\w|(?:models?|utils?|networks?|nets?|src|core|modules|common|lib|backbones?|ultralytics)$"
)
"""What modules are called that a program finds in its own folder."""


@pitfall.explains(
    r"Can't get attribute '(?P<name>[\w.]+)' on <module '(?P<module>[\w.]+)'", odds=0.9
)
def no_such_class(failure: Failure) -> Hits:
    name, module = failure.groups["name"], failure.groups["module"]
    if failure.frames and not loads(failure):
        return  # pickle says the same to any program
    where = "the program that runs" if module in ("__main__", "__mp_main__") else module
    yield failure.hit(
        f"the file names the class {name}, which {where} does not have: define or import it before loading, or save "
        "a state dict"
    )


@pitfall.explains(r"No module named '?(?P<module>(?!torch\b)\w[\w.]*)", odds=0.9)
def no_such_module(failure: Failure) -> Hits:
    module = failure.groups["module"]
    told = "torch.load(" in failure.line or FINDS in failure.around
    if loads(failure) or told or loads_alone(failure.around, module):
        yield failure.hit(
            f"the file names a class of {module}, which cannot be imported here: run where it is, or save a state dict"
        )


@pitfall.explains(r"source code of class '(?P<name>[\w.]+)' has changed", odds=0.9)
def another_source(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file holds a whole model, and {failure.groups['name']} has changed since: save a state dict"
    )


def loads(failure: Failure) -> bool:
    files = (frame.posix.removesuffix("c") for frame in failure.frames)
    return any(file.endswith("torch/serialization.py") for file in files)


def loads_alone(code: str, module: str) -> bool:
    """Whether the code beside the error loads a file and does not import the module itself."""
    top = module.partition(".")[0]
    imported = re.search(rf"\b(?:import|from) {top}\b", code)
    return "torch.load(" in code and imported is None and OF_A_REPOSITORY.match(module) is not None
