r"""Something is sent to another process that cannot be pickled.

Spawned workers, `mp.spawn` and `torch.save` of a whole object send it by pickle, which stores functions
by name: a lambda, a function inside a function, a generator, a lock, an open file or a CUDA handle has
none. With fork, the default on Linux up to Python 3.13, a dataset needs no pickling, so the same program
works there and fails on Windows, macOS or in a notebook. A model that is saved whole takes its hooks along, as those of
`wandb.watch`, which are such functions.

Cure: functions at the top level of a module, `functools.partial` instead of a lambda; open files and
connections in the worker, on first use; the state dict of a model.

Bad:

```python
import torch

double = lambda x: 2 * x
torch.save({"transform": double}, "settings.pt")  # seen: a lambda has no name to store
```

Bad (a hook):

```python
import io

import torch
from torch import nn


def watch_with_hook(layer, outputs):
    def keep(module, given, came):
        outputs.append(came)

    layer.register_forward_hook(keep)


model = nn.Sequential(nn.Linear(2, 2))
watch_with_hook(model[0], [])
torch.save(model, io.BytesIO())  # seen: `keep` is a hook
```

Good:

```python
import torch

torch.save({"scale": 2}, "settings.pt")
```

Message (Python 3.11, DataLoader on Windows):

```text
AttributeError: Can't pickle local object 'make_loader.<locals>.<lambda>'
```

Message (wandb, whose hooks are in a model that is saved; `wandb.unwatch()`):

```text
AttributeError: Can't pickle local object 'TorchGraph.create_forward_hook.<locals>.after_forward_hook'
```

Message (Python 3.11, of no model's hook; `at the top level`):

```text
AttributeError: Can't pickle local object 'send_webhook.<locals>.post'
```

Message (Python 3.14):

```text
_pickle.PicklingError: Can't pickle local object <function train.<locals>.collate at 0x7f6f4c1d2340>
```

Message (Python 3.11, a generator; `list(...)`):

```text
TypeError: cannot pickle 'generator' object
```

Message (an older torch; `from a seed`):

```text
TypeError: cannot pickle 'torch._C.Generator' object
```

Message (torch 1.0 to 2.13; `detach`):

```text
RuntimeError: Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it on the queue).
```

Message (Python 3.8 to 3.13, a notebook cell that ran twice; `make the object anew`):

```text
_pickle.PicklingError: Can't pickle <class '__main__.Net'>: it's not the same object as __main__.Net
```

Message (Python 3.6 and 3.7; `RLock`):

```text
TypeError: can't pickle _thread.RLock objects
```

Message (Python 2.7; `instancemethod`):

```text
cPickle.PicklingError: Can't pickle <type 'instancemethod'>: attribute lookup __builtin__.instancemethod failed
```

Message (Python 3.4 to 3.7, of a dictionary that is saved; `SummaryWriter`):

```text
  File "/env/lib/python3.6/site-packages/torch/serialization.py", line 297, in _save
    pickler.dump(obj)
TypeError: cannot serialize '_io.BufferedWriter' object
```

Message (Python 3.8 and later, of a dictionary that is saved; `an open file`):

```text
  File "train.py", line 41, in save
    torch.save({"model": model.state_dict(), "log": log}, path)
  File "/env/lib/python3.11/site-packages/torch/serialization.py", line 1100, in _save
    pickler.dump(obj)
TypeError: cannot pickle '_io.TextIOWrapper' object
```

Message (Python 3.8 and later; `on first use`):

```text
TypeError: cannot pickle '_thread.lock' object
```

Message (Python 3.8 and later; `Environment`):

```text
TypeError: cannot pickle 'Environment' object
```

Message (torch 1.0 to 2.13; `iter(loader)`):

```text
NotImplementedError: ('{} cannot be pickled', '_SingleProcessDataLoaderIter')
```

Message (torch 2.13 on Python 3.14; `'fork'`):

```text
UserWarning: Got pickle error when attempting to start a worker Process. This might be because the worker Process arguments are not picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX platforms to 'forkserver', which requires the worker Process arguments to be picklable. You can also try multiprocessing.set_start_method('fork').
```

Message (under Windows, what PEFT has made; `num_workers=0`):

```text
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    for batch in loader:
  File "C:\env\lib\site-packages\torch\utils\data\dataloader.py", line 1035, in __init__
    w.start()
  File "C:\env\lib\multiprocessing\reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
AttributeError: Can't get local object 'enable_input_require_grads.<locals>.make_inputs_require_grads'
```

Message (Python 3.8 and later; `namedtuple`):

```text
_pickle.PicklingError: Can't pickle <class 'x_transformers.attend.EfficientAttentionConfig'>: attribute lookup EfficientAttentionConfig on x_transformers.attend failed
```

Message (torch 1.5.0; `1.5.0`):

```text
_pickle.PicklingError: Can't pickle <class 'torch._C._VariableFunctions'>: it's not the same object as torch._C._VariableFunctions
```

Message (Python 3.8 and later; `import it where it is used`):

```text
TypeError: cannot pickle 'module' object
```

Message (Python 3.8 and later; `keep list(...)`):

```text
TypeError: cannot pickle 'dict_keys' object
```

Message (Python 3.8 and later; `keep dict(...)`):

```text
TypeError: cannot pickle 'mappingproxy' object
```

Message (Python 3.8 and later, of a model that is saved whole; `state_dict()`):

```text
Traceback (most recent call last):
  File "train.py", line 41, in save
    torch.save(model, path)
  File "/env/lib/python3.11/site-packages/torch/serialization.py", line 1100, in _save
    pickler.dump(obj)
AttributeError: Can't pickle local object 'always.<locals>.inner'
```
"""

import ast
import re

from keng.explain.advice.unpicklable import HELD, HOOK, WANDBS, instead
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Can't (?:pickle|get) local object (?:<function )?'?(?P<what>[\w.<>]{1,200})",
    r"Can't pickle (?P<what><(?:function|class|type) .{1,200}?>): (?:attribute lookup|it's not|import of)",
    r"cannot pickle '(?P<what>(?!h5py|_io|sqlite3)[\w.]{2,80})' object",
    r"can't pickle (?P<what>(?!h5py|_io|sqlite3)[\w.]{2,80}) objects",
    odds=0.9,
)
def without_a_name(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/copy.py"):
        return  # a deepcopy, which sends nothing
    what = failure.groups["what"].partition(" at 0x")[0].rpartition(".")[2].strip("<>'")
    what = re.sub(r"^(?:function|type|class) '?", "", what) or "it"
    name = f"`{what}`" if "lambda" not in what else the_lambda(failure.code)
    says = f"{name} cannot be sent to another process or file: {instead(failure, failure.groups['what'])}"
    if HELD.search(failure.groups["what"]):
        says = f"{name} cannot be sent to another process or file: what holds it, a logger, a client or a connection, is left out, and made there on first use"
    elif HOOK.search(failure.groups["what"]):
        says = f"{name} is a hook in a model that is pickled whole: save model.state_dict(), or take the hook off before, handle.remove()"
        says += " or wandb.unwatch()" if failure.groups["what"].startswith(WANDBS) else ""
    yield failure.hit(says)


@pitfall.explains(r"cannot (?:pickle|serialize) '(?P<what>_io\.\w{2,40})' object", odds=0.9)
def saved_with_an_open_file(failure: Failure) -> Hits:
    what = failure.groups["what"]
    says = f"what is saved holds an open file ({what}), as a SummaryWriter or a logger does: leave it out of what torch.save gets"
    if failure.saves and not failure.raised_in.endswith("/copy.py"):
        yield failure.hit(says, sure=failure.passed_through("torch/serialization.py"))


def the_lambda(code: Code | None) -> str:
    written = code.of(ast.Lambda) if code is not None else []
    if code is None or len(written) != 1:
        return "a lambda"
    return f"`{code.text_of(written[0])}` on line {written[0].lineno}"


@pitfall.explains(r"Cowardly refusing to serialize non-leaf tensor", odds=0.97)
def with_its_graph(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor with a graph is sent to another process: detach() it, and in a dataset no_grad around the model"
    )


pitfall.answers(
    {
        "DataLoaderIter')": "an object that is pickled or copied holds iter(loader): keep the loader, and make its iterator where it is used",
        "Got pickle error when attempting to start a worker Process": "since Python 3.14 workers are not forked, so that dataset, collate_fn and worker_init_fn go through "
        "pickle: functions at the top level, or multiprocessing_context='fork'",
    },
    odds=0.95,
)
