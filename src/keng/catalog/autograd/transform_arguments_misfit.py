r"""A transform gets arguments of another form than its function has.

The transforms of `torch.func` keep the form of what they are given: `in_dims` and `out_dims` mirror arguments and results, with None where there is no
batch; `jvp` and `vjp` take tuples; `grad` counts positional arguments. `stack_module_state` makes one batch of the parameters of several models, which
must be alike, and `functional_call` takes them by name.

Cure: one entry in `in_dims` for each argument, `in_dims=(0, None)`; a tuple for one tensor too, `(x,)`; models of one class in one mode;
`dict(model.named_parameters())`.

Bad (two arguments):

```python
import torch

x, weight = torch.ones(5, 3), torch.ones(3)
y = torch.vmap(torch.dot, in_dims=(0,))(x, weight)  # seen: `in_dims=(0, None)`
```

Bad (no batch):

```python
import torch

x = torch.ones(3)
y = torch.vmap(torch.sum, in_dims=1)(x)  # seen: `x.unsqueeze(0)`
```

Bad (a tensor for a tuple):

```python
import torch

x = torch.ones(3)
y, dy = torch.func.jvp(torch.sin, x, torch.ones(3))  # seen: `(x,)`
```

Bad (whole numbers):

```python
import torch

y, pull = torch.func.vjp(torch.argmax, torch.ones(3))  # seen: `argmax`
```

Bad (models that are not alike):

```python
import torch
from torch import nn

models = [nn.Linear(2, 2), nn.ReLU()]
state = torch.func.stack_module_state(models)  # seen: `one class`
```

Good:

```python
import torch
from torch import nn

x, weight = torch.ones(5, 3), torch.ones(3)
y = torch.vmap(torch.dot, in_dims=(0, None))(x, weight)
y, dy = torch.func.jvp(torch.sin, (weight,), (torch.ones(3),))
parameters, buffers = torch.func.stack_module_state([nn.Linear(2, 2) for _ in range(3)])
```

Message (torch 2.13; `argnums`):

```text
RuntimeError: Got argnum=2, but only 1 positional inputs
```

Message (torch 2.13; `positional arguments`):

```text
ValueError: vmap(<lambda>)(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no inputs. The latter is unsupported.
```

Message (torch 2.13; `each output`):

```text
RuntimeError: Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: (*, *), primal output: *
```

Message (torch 2.13; `model.eval()`):

```text
RuntimeError: stack_module_state: Expected all models to have the same training/eval mode.
```

Message (torch 2.13; `named_parameters()`):

```text
ValueError: Expected all elements of parameter_and_buffer_dicts to be dictionaries
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "in_dims is not compatible with the structure of": "in_dims has another form than the arguments: one entry for each, None where there is no batch, as in_dims=(0, None)",
    "out_dims is not compatible with the structure of": "out_dims has another form than what the function gives back: one entry for each, or one number for all",
    " for some input, but that input is a Tensor of dimensionality": "an argument has no dimension for a batch where in_dims says: in_dims=None for it, or x.unsqueeze(0)",
    "or you are trying to vmap over a function with no inputs": "what is mapped takes no arguments, so that there is no batch: give the tensors as positional arguments",
    "Expected all models to be of the same class": "an ensemble is stacked of models of one class, with parameters of one shape",
    "Expected all models to have the same training/eval mode": "some models of the ensemble are in train and some in eval: model.eval() on each before stacking",
    "Expected primals to be a tuple": "primals and tangents are tuples, of one tensor too: a tuple, (x,)",
    "All outputs of f must be floating-point or complex": "the function gives whole numbers, as argmax or long() do, which have no derivative: floats all through",
    "Expected pytree structure of cotangents to be the same": "what the vjp function is given has another form than the outputs: one tensor for each output",
    "Got argnum=": "argnums counts positional arguments from 0, and there are fewer: give them by position",
    "The function given to hessian should return a single Tensor": "a hessian is of one number: one tensor, .sum() at the end",
    "Expected all elements of parameter_and_buffer_dicts to be dictionaries": "functional_call takes a dict of name and tensor: dict(model.named_parameters())",
}
pitfall.answers(CURES, odds=0.95)
