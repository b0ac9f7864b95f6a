r"""A helper of `torch.compile` is given what it does not take.

`torch.compile`, `torch.compiler.disable` and `allow_in_graph` take a function or a module; `mark_dynamic` and `mark_static_address` one tensor, and numbers of its dimensions. The stance of the compiler is
changed around compiled calls and not within them. What `torch.compile` gives for a model wraps it, so that its layers are counted and indexed in what it wraps. Options of
`torch._dynamo.config` have names of one version, and those of `options=` a type.

Cure: the function itself, without brackets; `for x in tensors: mark_dynamic(x, 0)`; `with torch.compiler.set_stance("force_eager"):` outside; `compiled._orig_mod[0]`; `hasattr(torch._dynamo.config, name)`
before a name that another version has.

Bad (no function):

```python
import torch

step = torch.compile(torch.ones(2))  # seen: a Tensor
```

Bad (several tensors):

```python
import torch

batch = [torch.ones(2), torch.ones(2)]
torch._dynamo.mark_dynamic(batch, 0)  # seen: one tensor
```

Bad (a dimension by name):

```python
import torch

x = torch.ones(2)
torch._dynamo.mark_dynamic(x, "0")  # seen: dimensions
```

Bad (an option of another version):

```python
import torch

torch._dynamo.config.capture_everything = True  # seen: `capture_everything`
```

Bad (a number for a switch):

```python
import torch

step = torch.compile(torch.sin, options={"triton.cudagraphs": 3})  # seen: `triton.cudagraphs`
```

Bad (layers of what is compiled):

```python
import torch
from torch import nn

model = torch.compile(nn.Sequential(nn.Linear(2, 2)), backend="eager")
first = model[0]  # seen: `_orig_mod`
```

Good:

```python
import torch
from torch import nn

model = torch.compile(nn.Sequential(nn.Linear(2, 2)), backend="eager")
first = model._orig_mod[0]
for x in [torch.ones(2), torch.ones(2)]:
    torch._dynamo.mark_dynamic(x, 0)
```

Message (torch 2.0, of pickle; `_orig_mod`):

```text
AttributeError: Can't pickle local object 'convert_frame.<locals>._convert_frame'
```

Message (torch 2.0, of cloudpickle and dill; `_orig_mod`):

```text
TypeError: cannot pickle 'ConfigModuleInstance' object
```

Message (torch 2.1 to 2.13; `one tensor`):

```text
TypeError: mark_static_address expects a tensor but received <class 'list'>
```

Message (torch 2.0 to 2.13; `a function`):

```text
AssertionError: fn must be callable
```

Message (torch 2.0 to 2.13; `a function`):

```text
AssertionError: allow_in_graph expects a callable
```

Message (torch 2.6 to 2.13; `outside`):

```text
AssertionError: Attempt to trace forbidden callable <function set_stance at 0x7f42c2d63380>
```

Message (torch 2.6 to 2.13; `force_backend`):

```text
RuntimeError: non-default stance cannot have force_backend set
```

Message (torch 2.0 to 2.13; `torch.compile`):

```text
RuntimeError: torch._dynamo.optimize(...) is used with a context manager. Please refer to https://pytorch.org/tutorials/intermediate/torch_compile_tutorial.html to use torch._dynamo.optimize(...) as an annotation/decorator.
```

Message (torch 2.0 to 2.13; `twice`):

```text
UserWarning: Using `torch.compile(module)` when there are global hooks on modules (e.g., from `register_module_forward_hook`); this will cause the hooks to fire an extra time for the `OptimizedModule` created by `torch.compile(module)`.
```

Message (torch 2.9 to 2.13; `fullgraph=True`):

```text
RuntimeError: Graph breaks are not supported with aot compile. Please use torch.compile(fullgraph=True).
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"A callable function is expected, but <class '(?:\w+\.)*(?P<kind>\w+)'> is provided", odds=0.97
)
def no_function(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} is to be compiled, and only a function or module can: the name without brackets"
    )


@pitfall.explains(
    r"(?P<name>mark_static_address|mark_static|mark_dynamic) expects a tensor\S{0,20}(?: class)? but received",
    r"has no attribute '_dynamo_(?P<kind>dynamic_indices|unbacked_indices|static_indices)'",
    odds=0.95,
)
def no_tensor(failure: Failure) -> Hits:
    name = failure.groups.get("name") or "mark_dynamic"
    yield failure.hit(f"{name} takes one tensor: for x in batch: {name}(x, ...)")


@pitfall.explains(
    r"torch\._(?P<part>dynamo|inductor|functorch)\.config\.(?P<name>[\w.]{1,80}) does not exist",
    odds=0.97,
)
def no_such_option(failure: Failure) -> Hits:
    part, name = failure.groups["part"], failure.groups["name"]
    yield failure.hit(
        f"torch._{part}.config of this version has no `{name}`: another name, or leave it out"
    )


@pitfall.explains(
    r"Unexpected type of attr (?P<name>[\w.]{1,80}), got (?P<got>\w{1,40}) should be (?P<wants>\w{1,40})",
    odds=0.97,
)
def option_of_another_type(failure: Failure) -> Hits:
    name, got, wants = (failure.groups[each] for each in ("name", "got", "wants"))
    yield failure.hit(f"`{name}` of options= is a {wants}, and gets a {got}")


WRAPPED = "what torch.compile gives wraps the model: its layers are in `_orig_mod`, or compile after they are taken"
SAVED = "a compiled model is pickled or copied whole, and the compiler's own parts cannot be: `model._orig_mod`, or its state_dict()"
FUNCTION = "this helper decorates a function, and is given another thing: a function itself, or @ above its def"
pitfall.answers(
    {
        "'OptimizedModule' object is not subscriptable": WRAPPED,
        "local object 'convert_frame.<locals>": SAVED,
        "cannot pickle 'ConfigModuleInstance' object": SAVED,
        "fn must be callable": FUNCTION,
        "allow_in_graph expects a callable": FUNCTION,
        "Expected index to be int, list, or tuple, got": "mark_dynamic takes dimensions by number: 0, or [0, 1]",
        "Attempt to trace forbidden callable <function set_stance": "the stance is changed outside of what is compiled",
        "non-default stance cannot have force_backend": "`force_backend` goes with the default stance alone: one of the two",
        "torch._dynamo.optimize(...) is used with a context manager": "torch._dynamo.optimize is no block: `torch.compile` of the function or model",
        "when there are global hooks on modules": "hooks on all modules run twice at a compiled model, once for its wrapper: model.compile() in place",
        "Graph breaks are not supported with aot compile": "ahead of time a whole graph is compiled: torch.compile(f, fullgraph=True).aot_compile(...)",
    },
    odds=0.95,
)
