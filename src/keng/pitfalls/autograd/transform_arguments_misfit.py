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

Message (torch 2.13; `(0, None)`):

```text
ValueError: vmap(sin, in_dims=None, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: <class 'NoneType'>.
```

Message (torch 2.13; `(v,)`):

```text
RuntimeError: jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure TreeSpec(tuple, None, [*]) and tangents with structure *
```

Message (torch 2.13; `has_aux=True`):

```text
RuntimeError: grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True
```

Message (torch 2.13; `torch.func.jacfwd`):

```text
NotImplementedError: Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`.
```

Message (torch 2.13; `.sum()`):

```text
RuntimeError: The Tensor returned by the function given to hvp should contain a single element
```

Message (torch 2.13; `dual_level`):

```text
RuntimeError: Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.
```

Message (torch 2.13; `is a list`):

```text
TypeError: The inputs given to jacobian must be either a Tensor or a tuple of Tensors but the given inputs has type <class 'list'>.
```

Message (torch 2.13; `argnums=(0, 1)`):

```text
RuntimeError: argnums must be int or Tuple[int, ...], got: <class 'str'>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

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
    "argnums must be": "argnums names positional arguments by their numbers from 0, one or a tuple: argnums=(0, 1)",
    "argnums elements must be unique": "argnums names one argument twice",
    "Expected primals to only contain Tensors": "what is derived by is a tensor, a number too: torch.tensor(3.0)",
    "Expected primals and tangents to have the same python structure": "the tangents have the form of the primals: a tuple with one tensor for each, (v,)",
    "of the corresponding primal": "what linearize gave back takes directions of the shape and the dtype of the point it was made at",
    "to be a function that has non-empty output": "the function gives back nothing that could be derived",
    "should be a tuple: (output, aux) if has_aux": "with has_aux=True the function gives back a pair: what is derived, and what is passed on",
    "`out_dims` must be an int": "out_dims says where the batch stands in each result: a number, or one for each",
    "expected `in_dims` to be int or a": "in_dims is a number for all arguments, or a tuple with an entry for each: in_dims=(0, None)",
    "Expected at least one Tensor to vmap over": "in_dims gives no argument a batch: 0 for one of them, or a call without vmap",
    "can not return a BatchedTensor when out_dim is None": "out_dims=None is for a result without a batch, and this one has one: out_dims=0",
    "Only allowed values for randomness": "randomness='different' draws for each sample by itself, 'same' once for all",
    "Expected parameter_and_buffer_dicts to be a dict": "functional_call takes a dict of name and tensor: dict(model.named_parameters())",
    "appeared in multiple dictionaries": "one name stands in two of the dicts: each tensor once, parameters and buffers apart",
    "Expected at least one model, got 0": "the list of models is empty",
    "implemented for `vectorize=True`": "forward mode in autograd.functional wants vectorize=True; torch.func.jacfwd does without",
    "jacobian: `strict=True` and": "strict=True goes in reverse mode alone, and without vectorize=True",
    "jacobian: `create_graph=True` and": "a jacobian that is derived again goes in reverse mode here: strategy='reverse-mode', or torch.func.jacfwd",
    "The function given to hvp should": "hvp is of one number: one tensor, .sum() at the end",
    "The function given to vhp should": "hvp is of one number: one tensor, .sum() at the end",
    "returned by the function given to hvp should": "hvp is of one number: one tensor, .sum() at the end",
    "returned by the function given to vhp should": "hvp is of one number: one tensor, .sum() at the end",
    "The given v should contain a single Tensor": "v has one tensor for each output (vjp) or each input (jvp, hvp)",
    "v is a tuple of invalid length": "v has one tensor for each output (vjp) or each input (jvp, hvp)",
    "Trying to create a dual Tensor for forward AD but no level exists": "a dual number lives in a level: `with torch.autograd.forward_ad.dual_level():` around all of it, or torch.func.jvp",
    "Expected primal to be floating point": "a dual number is made of floats: x.float()",
    "Expected tangent to be floating point": "a dual number is made of floats: x.float()",
    "Nested forward mode AD is not supported": "one dual_level stands inside another: torch.func.jvp nests",
    "chunk_size should be None or greater": "chunk_size is how many are computed at once: 1 or more, or None for all",
    "`chunk_size` should be greater than 0": "chunk_size is how many are computed at once: 1 or more, or None for all",
}
pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"The (?P<what>inputs|v) given to (?P<name>\w+) must be either a Tensor or a tuple of Tensors but .{0,60} has type <class '(?P<kind>[\w.]+)'>",
    odds=0.95,
)
def no_tensors(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"`{groups['what']}` of {groups['name']} is a {groups['kind']}: a tensor, or a tuple of tensors"
    )
