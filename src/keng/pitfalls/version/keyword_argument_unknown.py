r"""An argument is given to PyTorch under a name that it does not have there.

The name is misspelt, it is another library's (`learning_rate`, `axis`, `keepdims`), or it went with a later version:
schedulers of today have no `verbose`. Functions in C++ take NumPy's `axis` for `dim`, those in Python do not.

Cure: `help(torch.optim.Adam)` tells the names of today.

Bad (a name of Keras):

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), learning_rate=0.1)  # here: it is called `lr`
```

Bad (a name of NumPy):

```python
import torch
import torch.nn.functional as F

scores = F.log_softmax(torch.ones(2, 3), axis=1)  # seen: it is called `dim`
```

Bad (a name that went):

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = StepLR(optimizer, 10, verbose=True)  # here: scheduler.get_last_lr()
```

Bad (misspelt):

```python
from torch import nn

layer = nn.LSTM(4, 8, batchfirst=True)  # seen: `batchfirst` is no argument of nn.LSTM
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

layer = nn.LSTM(4, 8, batch_first=True)
optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
scores = F.log_softmax(torch.ones(2, 3), dim=1)
```

Fine (a scheduler of one's own):

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR


class Told(StepLR):
    def __init__(self, optimizer, step_size, verbose=False):
        super().__init__(optimizer, step_size)
        self.verbose = verbose


scheduler = Told(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 10, verbose=True)
```

Message (torch 1.11 to 1.13; `2.0`):

```text
TypeError: MultiheadAttention.forward() got an unexpected keyword argument 'is_causal'
```

Message (torch 1.11 to 2.13; `example_outputs`):

```text
TypeError: export() got an unexpected keyword argument 'example_outputs'
```

Message (torch 0.2 to 2.13; `initial_lr`):

```text
TypeError: __init__() got an unexpected keyword argument 'initial_lr'
```

Message (torch 1.13 and before, asked by a newer package; `an older release of timm`):

```text
  File "/env/lib/python3.10/site-packages/timm/layers/attention.py", line 40, in forward
    x, _ = self.attn(x, x, x, is_causal=True)
TypeError: MultiheadAttention.forward() got an unexpected keyword argument 'is_causal'
```

Message (torch 1.10 and before, without its traceback; `1.11`):

```text
TypeError: DistributedDataParallel.__init__() got an unexpected keyword argument 'static_graph'
```

Message (torch 1.6 and before, under Python 3.7; `1.7`):

```text
Traceback (most recent call last):
  File "train.py", line 31, in <module>
    loader = DataLoader(data, batch_size=8, num_workers=4, persistent_workers=True)
TypeError: __init__() got an unexpected keyword argument 'persistent_workers'
```

Message (torch 2.0 and before, without its traceback; `2.1`):

```text
TypeError: Module.load_state_dict() got an unexpected keyword argument 'assign'
```

Message (torch 1.6 to 1.12; `1.13`):

```text
  File "/home/u/train.py", line 12, in load
    state = torch.load(path, weights_only=True)
  File "/env/lib/python3.8/site-packages/torch/serialization.py", line 1049, in _load
    unpickler = UnpicklerWrapper(data_file, **pickle_load_args)
TypeError: 'weights_only' is an invalid keyword argument for Unpickler()
```

Message (torch 2.13, without its traceback; `largest`):

```text
TypeError: add() received an invalid combination of arguments - got unrecognized keyword arguments: largest
```

Message (torch 2.13, without its traceback; `return_count`):

```text
TypeError: Tensor.unique() got an unexpected keyword argument 'return_count'
```

Message (torch 1.9 to 2.13, without its traceback; `linalg_svd`):

```text
TypeError: linalg_svd() got an unexpected keyword argument 'compute_uv'
```
"""

import re
from difflib import get_close_matches

from keng.explain.advice.shown import asker
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code
from keng.tables import torch_history
from keng.tables.torch_functions import called, called_around

pitfall = Pitfall(__name__, __doc__, severity="error")

SPELT = {"learning_rate": "lr", "axis": "dim", "keepdims": "keepdim"}
"""What other libraries say for it."""
SCHEDULER = re.compile(r"(?:\w+LR|ReduceLROnPlateau|CosineAnnealingWarmRestarts)\.__init__$")
ARGUMENT = re.compile(r"[(,] ?(\w+)")


@pitfall.finds(fixes=True)
def name_of_another(code: Code) -> Hits:
    said = b"verbose" in code.data or b"learning_rate" in code.data
    for call in code.calls_with(lambda name: name[:1].isupper()) if said else ():
        dotted = code.resolve(call.func)
        scheduler = dotted.startswith("torch.optim.lr_scheduler.")
        if not dotted.startswith("torch.optim.") or code.probed(call):
            continue
        for keyword in call.keywords:
            if keyword.arg == "verbose" and scheduler and code.torch_at_least("2.7") is not False:
                fix = Fix("Leave it out", (code.without_argument(call, keyword),))
                says = "schedulers have no `verbose` since 2.7: print(scheduler.get_last_lr())"
                yield code.hit(keyword, says, fix=fix)
            elif keyword.arg == "learning_rate" and not scheduler:
                edit = code.replace(keyword, f"lr={code.text_of(keyword.value)}")
                says = "`learning_rate` is no argument of an optimizer: it is called `lr`"
                yield code.hit(keyword, says, fix=Fix("Call it `lr`", (edit,)))


@pitfall.explains(
    r"\b(?P<function>(?:\w{1,60}\.)?\w{1,60})\(\) got an unexpected keyword argument '(?P<name>\w{1,60})'",
    r"\b(?P<function>\w{1,60})\(\) received an invalid combination of arguments - got (?P<own>unrecognized keyword) arguments: (?P<name>\w{1,60})",
    odds=0.95,
)
def no_such_name(failure: Failure) -> Hits:
    function, name = (failure.groups[group] for group in ("function", "name"))
    if name == "verbose" and SCHEDULER.match(function):
        says = f"`verbose` is no argument of {function.partition('.')[0]} any more: print(scheduler.get_last_lr())"
        yield failure.hit(says)
        return
    if name == "initial_lr":
        says = "an optimizer is made of the groups of another, where a scheduler keeps `initial_lr`: make it of parameters, then load the state"
        yield failure.hit(says)
        return
    failing = failure.live.failing
    calls = called(function, failure.line) or called_around(function, failure.around)
    if failing is not None and failing.torchs:
        calls = [failing.calls]
    elif failure.groups.get("own") or function.startswith("Tensor."):
        calls = calls or [function]
    line = failure.line or failure.around
    if by_version := torch_history.told_of_argument(function, name, calls, line):
        who = asker(failure, " ") or "what asks for it"
        yield failure.hit(by_version.replace("what asks for it", who))
        return
    if len(calls) != 1:
        return  # the program's own function may have raised it
    known = ARGUMENT.findall(failing.takes) if failing is not None else []
    close = get_close_matches(name, known, 1, 0.7)
    meant = close[0] if close else SPELT.get(name, "")
    says = f"`{name}` is no argument of {calls[0]}"
    if meant and (meant in known or not known):
        yield failure.hit(f"{says}: it is called `{meant}`", fix=failure.renamed(name, meant))
    else:
        older = " in this PyTorch: of another version, or called otherwise there"
        yield failure.hit(says + (f", which takes {', '.join(known[:8])}" if known else older))


NEWER = "torch.load takes `weights_only` since torch 1.13, and an older one hands it on to pickle: a newer torch, or leave it out"
pitfall.answers({"'weights_only' is an invalid keyword argument for": NEWER}, odds=0.95)


@pitfall.explains(
    r"\bexport\(\) got an unexpected keyword argument '(?P<name>example_outputs|use_external_data_format|enable_onnx_checker|strip_doc_string|_retain_param_name)'",
    odds=0.96,
)
def gone_from_the_exporter(failure: Failure) -> Hits:
    says = f"torch.onnx.export has no `{failure.groups['name']}` any more"
    yield failure.hit(f"{says}: leave it out, it does so by itself or not at all")
