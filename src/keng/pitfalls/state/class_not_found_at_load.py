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

Message (ultralytics 8.1 and later, a checkpoint of before; `the version that saved it`):

```text
import torch
from torch.utils.mobile_optimizer import optimize_for_mobile

model = torch.load('best.pt', map_location="cpu")
model.eval()

ModuleNotFoundError: No module named 'ultralytics.yolo'
```

Message (a report without its traceback; `a class of models`):

```text
When I load the .pth file, ModuleNotFoundError: No module named 'models' occurs.
```

Message (torch 2.3 and later, of a scaler that was saved whole before; `that saved it`):

```text
AttributeError: Can't get attribute '_refresh_per_optimizer_state' on <module 'torch.cuda.amp.grad_scaler' from '/env/lib/python3.8/site-packages/torch/cuda/amp/grad_scaler.py'>
```

Message (torch 1.6, of a whole model that a later torch saved; `1.7 or later`):

```text
AttributeError: Can't get attribute 'SiLU' on <module 'torch.nn.modules.activation' from '/env/lib/python3.8/site-packages/torch/nn/modules/activation.py'>
```

Message (a pickle with graphs of DGL 0.4.2 or before; `left with 0.4.3`):

```text
  File "/home/bob/predict.py", line 43, in __init__
    self.params = pickle.load(open('parameters.pkl', 'rb'), fix_imports=True)
ModuleNotFoundError: No module named 'dgl.batched_graph'
```

Message (a pickle of StyleGAN2-ADA or 3; `a folder of StyleGAN's`):

```text
Traceback (most recent call last):
  File "generate.py", line 5, in <module>
    G = pickle.load(f)['G_ema'].cuda()
ModuleNotFoundError: No module named 'torch_utils'
```

Message (the package of that name on PyPI stands before it; `no package`):

```text
ImportError: cannot import name 'persistence' from 'torch_utils' (/env/lib/python3.8/site-packages/torch_utils/__init__.py)
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries, torch_history

pitfall = Pitfall(__name__, __doc__, severity="error")

FINDS = "super().find_class(mod_name, name)"
"""The line of torch/serialization.py that imports what a file names."""

LOADING = re.compile(
    r"\btorch\.load\b|\bload\w* (?:[\w'-]{1,20} ){0,4}(?:[\w-]{0,40}\.(?:pth?|ckpt|tar|pkl)\b|checkpoint|pretrained)",
    re.IGNORECASE,
)
OF_A_PROJECT = re.compile(
    r"(?:models?|nets?|networks?|modules?|utils?|losse?s?|src|lib|core|common|backbones?|archs?|engines?|layers?|trainers?|datasets?|configs?|ultralytics)(?:\.[\w.]+)?$"
)
"""What folders and files of a repository are called, and hardly any package."""
LIBRARY = re.compile(
    r"(?:torch(?:vision|audio|text|_geometric)?|transformers|timm|fastai|monai|dgl|ultralytics)(?=\.(?!hub|classes))"
)
"""Libraries whose classes are there in some versions."""


@pitfall.explains(
    r"Can't get attribute '(?P<name>[\w.]+)' on <module '(?P<module>[\w.]+)'", odds=0.9
)
def no_such_class(failure: Failure) -> Hits:
    name, module = failure.groups["name"], failure.groups["module"]
    if failure.frames and not loads(failure):
        return  # pickle says the same to any program
    if library := LIBRARY.match(module):
        came = torch_history.of_name("torch.nn" if module.startswith("torch.nn.") else module, name)
        of = f"of {library[0]} {came.came} or later" if came and came.came else "that saved it"
        yield failure.hit(
            f"the file holds whole objects, with {name} of {module}, which the {library[0]} here does not have: load it with the one {of}, then save state dicts alone"
        )
        return
    where = "the program that runs" if module in ("__main__", "__mp_main__") else module
    yield failure.hit(
        f"the file names the class {name}, which {where} does not have: define or import it before loading, or save a state dict"
    )


@pitfall.explains(r"No module named '?(?P<module>(?!torch\b)\w[\w.]*)", odds=0.9)
def no_such_module(failure: Failure) -> Hits:
    module, around = failure.groups["module"], f"{failure.message}\n{failure.around}"
    told = "torch.load(" in failure.line or FINDS in around
    told = told or (LIBRARY.match(module) is not None and "pickle.load(" in failure.line)
    shown = OF_A_PROJECT.match(module) and LOADING.search(around) and not failure.frames
    if loads(failure) or told or shown:
        yield failure.hit(
            f"the file names a class of {module}, which {_lacks(module)}, and save a state dict there"
        )


@pitfall.explains(
    r"No module named '(?P<module>torch_utils(?P<part>\.(?:persistence|ops|misc|custom_ops|training_stats)\b[\w.]*)?|dnnlib(?:\.[\w.]+)?)'",
    r"cannot import name '(?P<part>persistence|misc|custom_ops|training_stats)' from '(?P<module>torch_utils)'",
    odds=0.93,
)
def folders_of_stylegan(failure: Failure) -> Hits:
    texts = " ".join(frame.text for frame in failure.frames)
    of_torch = "G_ema" in texts or failure.groups["module"][:6] != "dnnlib"  # of TensorFlow's, too
    if failure.groups["part"] or (of_torch and ("load(" in texts or "load_network_pkl(" in texts)):
        yield failure.hit(
            f"`{failure.groups['module']}` is a folder of StyleGAN's repositories, which their pickles ask for, and no package: run where it is, or put that repository on sys.path first"
        )


def _lacks(module: str) -> str:
    if library := LIBRARY.match(module):
        change = libraries.of_name(module, "")
        gone = f" any more, as it left with {change.gone}" if change and change.gone else ""
        return f"the {library[0]} here does not have{gone}: load it with the version that saved it"
    return "cannot be imported here: run where it is, or with that folder on sys.path"


@pitfall.explains(r"source code of class '(?P<name>[\w.]+)' has changed", odds=0.9)
def another_source(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file holds a whole model, and {failure.groups['name']} has changed since: save a state dict"
    )


def loads(failure: Failure) -> bool:
    files = (frame.posix.removesuffix("c") for frame in failure.frames)
    return any(file.endswith("torch/serialization.py") for file in files)
