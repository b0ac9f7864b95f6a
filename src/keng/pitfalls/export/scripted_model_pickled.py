r"""A scripted model is saved or copied by pickle.

A module that `torch.jit.script` or `trace` has made is an object of C++ with its own format, an archive of code and tensors. `torch.save` of it, or of something that holds
it, goes through pickle, which such a module does not take part in; so does handing it to another process.

Cure: `scripted.save("model.pt")` and `torch.jit.load`; of a model that holds it the state dict alone, `torch.save(model.state_dict(), ...)`.

Bad:

```python
import io

import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
torch.save(layer, io.BytesIO())  # seen: `save()` of its own
```

Good:

```python
import io

import torch
from torch import nn

exported = torch.export.export(nn.Linear(2, 2), (torch.ones(2),))
torch.export.save(exported, io.BytesIO())
```

Message (torch 1.4 and 1.7; `save()`):

```text
_pickle.PickleError: ScriptModules cannot be deepcopied using copy.deepcopy or saved using torch.save. Mixed serialization of script and non-script modules is not supported. For purely script modules use my_script_module.save(<filename>) instead.
```

Message (torch 1.11 to 2.13; `ScriptFunction`):

```text
_pickle.PickleError: ScriptFunction cannot be pickled
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Tried to serialize object (?P<name>__torch__[\w.]{1,200}) which does not have a __getstate__",
    r"(?P<name>Script(?:Function|Classe?)s?) cannot be pickled",
    r"ScriptModules cannot be deepcopied using copy\.deepcopy or saved using torch\.save",
    odds=0.97,
)
def goes_through_pickle(failure: Failure) -> Hits:
    name = (failure.groups.get("name") or "").rpartition(".")[2]
    yield failure.hit(
        f"a scripted {name or 'module'} does not go through pickle: its own save() and torch.jit.load, or the state dict"
    )
