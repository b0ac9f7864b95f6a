r"""A scripted or traced module is changed, frozen or compiled in a way that it does not allow.

`torch.jit.script` and `trace` make an object of C++ whose code is compiled: its submodules, constants and parameters are settled, hooks are compiled with it, and the traced
submodules have no code of their own. Freezing writes the parameters into the code as constants, so it takes a scripted module in eval mode alone. What is compiled is an
instance that has called `super().__init__()` and knows its sizes, not its class.

Cure: change the model first, then script or trace it: hooks, new layers, `eval()`; `torch.jit.freeze(torch.jit.script(model.eval()))`; a lazy
layer after a first batch; submodules are called through the whole, or traced by themselves.

Bad:

```python
import torch
from torch import nn

torch.jit.freeze(torch.jit.script(nn.Linear(4, 3)))  # seen: `eval()`
```

Bad (not scripted):

```python
import torch
from torch import nn

torch.jit.freeze(nn.Linear(4, 3).eval())  # seen: `torch.jit.script` first
```

Bad (a layer is put in):

```python
import torch
from torch import nn

model = torch.jit.script(nn.Sequential(nn.Linear(4, 3)))
model.add_module("act", nn.ReLU())  # seen: `act`
```

Bad (a parameter is put in):

```python
import torch
from torch import nn

model = torch.jit.script(nn.Linear(4, 3))
model.register_parameter("scale", nn.Parameter(torch.ones(1)))  # seen: `scale`
```

Bad (a constant is changed):

```python
import torch
from torch import nn

model = torch.jit.script(nn.Linear(4, 3))
model.in_features = 7  # seen: `in_features`
```

Bad (a hook afterwards):

```python
import torch
from torch import nn

model = torch.jit.script(nn.Linear(4, 3))
model.register_forward_hook(lambda module, x, y: None)  # seen: `register_forward_hook`
```

Bad (a class):

```python
import torch
from torch import nn

torch.jit.script(nn.Linear)  # seen: an instance
```

Bad (a part of a traced model):

```python
import torch
from torch import nn

model = torch.jit.trace(nn.Sequential(nn.Linear(4, 3)), torch.ones(1, 4))
next(model.children())(torch.ones(1, 4))  # seen: traced by itself
```

Bad (a backward hook):

```python
import torch
from torch import nn

layer = nn.Linear(4, 3)
layer.register_full_backward_hook(lambda module, before, after: None)
torch.jit.trace(layer, torch.ones(1, 4))  # seen: backward hooks
```

Bad (a lazy layer):

```python
import torch
from torch import nn

torch.jit.script(nn.LazyLinear(3))  # seen: `LazyLinear`
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 3), nn.ReLU()).eval()
program = torch.export.export(model, (torch.ones(1, 4),))
```

Message (torch 1.7 to 2.13; `scripted or traced`):

```text
RuntimeError: optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'.
```

Message (torch 1.0 to 2.13; `keeps its parts`):

```text
RuntimeError: cannot delete methods or parameters of a script module
```

Message (torch 1.2 to 2.13; `keeps its layers`):

```text
TypeError: 'RecursiveScriptModule' object does not support item assignment
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

pitfall.answers(
    {
        "Freezing is currently only implemented for modules in eval mode": "only a model in evaluation mode is frozen: model.eval() before torch.jit.script",
        "Freezing expects a ScriptModule": "only what is scripted or traced is frozen: torch.jit.script first",
        "optimize_for_inference expects a ScriptModule": "only what is scripted or traced is optimized for inference: torch.jit.script first",
        "cannot delete methods or parameters of a script": "a scripted model keeps its parts: change the model before it is scripted",
        "'RecursiveScriptModule' object does not support item assignment": "a scripted model keeps its layers: change the model before it is scripted",
        "cannot be compiled since it inherits from nn.Module": "a class is scripted where an instance is wanted: torch.jit.script(Net())",
        "Trace submodules cannot be called": "a part of a traced model has no code of its own: call the whole, or have the part traced by itself",
        "Modules that have backward hooks assigned can't be compiled": "a model with backward hooks is not traced: take them off first (handle.remove())",
    },
    odds=0.97,
)


@pitfall.explains(
    r"Cannot re-assign modules in a ScriptModule with non-scripted module, tried to replace existing module '(?P<name>[\w.]{1,80})'",
    r"Can't add a new parameter after ScriptModule construction\. Tried to add '(?P<name>\w{1,80})",
    r"Can't set constant '(?P<name>\w{1,80})' which has value",
    odds=0.97,
)
def settled(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is settled once a model is scripted: change the model before"
    )


@pitfall.explains(r"(?P<what>\w{2,60}) is not supported on ScriptModules", odds=0.97)
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"a scripted model has no {failure.groups['what']}: call it on the model before it is scripted"
    )


@pitfall.explains(
    r"'[\w.<>]{0,120}\.(?P<name>\w+)' has uninitialized (?:parameters|buffers) ", odds=0.95
)
def size_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not know its sizes yet: one batch through the model, then script it"
    )
