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

Bad (a model is saved in place of its program):

```python
import io

import torch

torch.export.save(torch.nn.Linear(3, 2), io.BytesIO())  # seen: `Linear`
```

Bad (its parts are set):

```python
import torch
from torch.export import export

program = export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
program.state_dict = {}  # seen: `state_dict`
```

Bad (a method of models):

```python
import torch
from torch.export import export

program = export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
program.to("cpu")  # seen: `to`
```

Good:

```python
import torch
from torch import nn

program = torch.export.export(nn.Linear(2, 2).eval(), (torch.ones(1, 2),))
y = program.module()(torch.ones(1, 2))
```

Message (torch 2.2 to 2.13; `program.module()`):

```text
RuntimeError: Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.
```

Message (torch 2.4 to 2.13; `keywords`):

```text
ValueError: Ran into a kwarg keyword mismatch: Got the following keywords ['input2'] but expected []
```

Message (torch 2.2 to 2.6; `version 5.1`):

```text
RuntimeError: Serialized version 5.1 does not match our current schema version 6.1.
```

Message (torch 2.6 to 2.13; `torch.load`):

```text
RuntimeError: We ran into an error when deserializing the saved file. Please check the warnings above for possible errors.
```

Message (torch 2.2 to 2.13, of torch.export.unflatten; `same number`):

```text
TypeError: There is no flat args adapter specified. Are you sure you are calling this with the right arguments?
```
"""

from keng.explain.failure import Failure
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


pitfall.answers(
    {
        "There is no flat args adapter specified": "the exported program is called with other arguments than it was exported with: the same number, order and keywords",
        "Unable to call ExportedProgram directly": "an exported program is called by program.module()(x)",
        "Ran into a kwarg keyword mismatch": "the exported program is called with other keywords than it was exported with: what was positional stays so",
    },
    odds=0.97,
)


@pitfall.explains(
    r"Serialized version (?P<own>\S{1,20}) does not match our current schema version (?P<wanted>[\w.-]{1,20}\w)",
    odds=0.95,
)
def of_another_torch(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(
        f"the file has version {own} of the format, and this PyTorch reads {wanted}: export it again, or load it with the PyTorch that saved it"
    )


@pitfall.explains(
    r"The 'ep' parameter must be an instance of 'ExportedProgram', got '(?P<kind>\w+)'", odds=0.97
)
def saved_unexported(failure: Failure) -> Hits:
    yield failure.hit(
        f"torch.export.save takes what torch.export.export gives, and no {failure.groups['kind']}"
    )


@pitfall.explains(r"Unable to set ExportedProgram's (?P<name>\w+) attribute", odds=0.97)
def parts_are_settled(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` of an exported program is settled: change the model, and export it again"
    )


@pitfall.explains(
    r"'ExportedProgram' object has no attribute '(?P<name>to|cuda|cpu|eval|train|half|forward|load_state_dict)'",
    odds=0.95,
)
def no_module(failure: Failure) -> Hits:
    yield failure.hit(
        f"an exported program is no model and has no {failure.groups['name']}(): program.module(), or before it is exported"
    )


@pitfall.explains(r"We ran into an error when deserializing the saved file", odds=0.8)
def no_program_in_it(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is none of torch.export.save, or of another PyTorch: weights are read by torch.load, a package by aoti_load_package"
    )
