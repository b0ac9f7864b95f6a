r"""An exported program is used otherwise than it was exported.

`torch.export` writes down one way through the model, for the structure of the inputs that it was shown and for one mode. What it gives, `program.module()`, takes the
same positional and keyword arguments, and has no switch between training and evaluation: dropout and batch norm stand in the graph as they were.

Cure: call it as it was exported, keyword arguments as such; `model.eval()` before `torch.export.export`, or export twice; torchao has
`move_exported_model_to_eval` for a graph that is quantized.

Bad (a mode):

```python
import torch
from torch import nn

program = torch.export.export(nn.Linear(2, 2), (torch.ones(1, 2),))
program.module().train()  # seen: `train()`
```

Bad (another structure):

```python
import torch
from torch import nn

program = torch.export.export(nn.Linear(2, 2), (torch.ones(1, 2),))
y = program.module()(torch.ones(1, 2), torch.ones(1))  # seen: the same arguments
```

Good:

```python
import torch
from torch import nn

program = torch.export.export(nn.Linear(2, 2).eval(), (torch.ones(1, 2),))
y = program.module()(torch.ones(1, 2))
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Calling (?P<mode>train|eval)\(\) is not supported yet", odds=0.97)
def mode_changed(failure: Failure) -> Hits:
    yield failure.hit(
        f"an exported program has no {failure.groups['mode']}(): choose the mode before torch.export.export"
    )


@pitfall.explains(r"Trying to flatten user inputs with exported input tree spec", odds=0.97)
def inputs_of_another_structure(failure: Failure) -> Hits:
    yield failure.hit(
        "the exported program is called with other arguments than it was exported with: the same number, order and keywords"
    )
