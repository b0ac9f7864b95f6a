r"""Loading a checkpoint may run any program that its author put into it.

A checkpoint is a pickle, and a pickle can call anything while it is read. Up to PyTorch 2.5 `torch.load` reads every
pickle as it comes; since 2.6 its default is `weights_only=True`, which reads tensors and plain data and refuses all
else. A program that has to run with an older version must say so itself.

Cure: `torch.load(path, weights_only=True)` (there since 1.13), or a safetensors file, which holds no program.

Bad (for torch 2.0):

```python
# /// script
# dependencies = ["torch>=2.0,<2.6"]
# ///
import torch

torch.save({"weight": torch.ones(3)}, "model.pt")
state = torch.load("model.pt")  # here: reads any pickle before 2.6
```

Good:

```python
# /// script
# dependencies = ["torch>=2.0"]
# ///
import torch

torch.save({"weight": torch.ones(3)}, "model.pt")
state = torch.load("model.pt", weights_only=True)
```

Fine (a version that refuses by itself; a choice that was made):

```python
import torch

torch.save({"weight": torch.ones(3)}, "model.pt")
state = torch.load("model.pt")
options = {"weights_only": False}
state = torch.load("model.pt", **options)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="torch before 2.6")


@pitfall.finds(fixes=True)
def reads_any_pickle(code: Code) -> Hits:
    for call in code.calls_to("torch.load"):
        said = any(k.arg in ("weights_only", "pickle_module", None) for k in call.keywords)
        if said or len(call.args) > 2 or code.torch_at_least("2.6") is not False:
            continue
        known = code.torch_at_least("1.13")
        fix = (
            code.add_argument(call, "weights_only=True", "Read plain data only") if known else None
        )
        yield code.hit(call, "before torch 2.6 this runs whatever the file says", fix=fix)
