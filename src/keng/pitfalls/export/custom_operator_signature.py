r"""The signature of an operator of one's own is none that PyTorch can write down.

`torch.library.custom_op` makes a schema of the function's annotations: every argument and the result have one, of Tensor, int, float, bool, str, a dtype, a device, lists and `Optional` of these. There is no
`*args`, no dict, no tuple. `mutates_args` names arguments, and the name of the operator has a namespace. A gradient is registered for what changes none of its arguments, whose tensors are given by
position.

Cure: `def op(x: torch.Tensor, sizes: list[int]) -> torch.Tensor` as `"mylib::op"`; several results as `tuple[torch.Tensor, torch.Tensor]`; what a dict held as arguments of its own; a copy
of what was changed as the result, where a gradient is wanted.

Bad (no result said):

```python
import torch


@torch.library.custom_op("mylib::doubled", mutates_args=())  # seen: what it gives
def doubled(x: torch.Tensor):
    return 2 * x
```

Bad (a type that no schema has):

```python
import torch


@torch.library.custom_op("mylib::scaled", mutates_args=())  # seen: `options`
def scaled(x: torch.Tensor, options: dict) -> torch.Tensor:
    return options["scale"] * x
```

Bad (any number of arguments):

```python
import torch


@torch.library.custom_op("mylib::total", mutates_args=())  # seen: fixed number
def total(*parts: torch.Tensor) -> torch.Tensor:
    return sum(parts)
```

Bad (a name that is no argument):

```python
import torch


@torch.library.custom_op("mylib::filled", mutates_args={"out"})  # seen: `mutates_args`
def filled(x: torch.Tensor) -> None:
    x.fill_(1)
```

Bad (no namespace):

```python
import torch


@torch.library.custom_op("halved", mutates_args=())  # seen: a namespace
def halved(x: torch.Tensor) -> torch.Tensor:
    return x / 2
```

Bad (a gradient of what is changed in place):

```python
import torch


@torch.library.custom_op("mylib::raised", mutates_args={"x"})
def raised(x: torch.Tensor) -> None:
    x.add_(1)


raised.register_autograd(lambda ctx, grad: grad)  # seen: no gradient
```

Good:

```python
import torch


@torch.library.custom_op("mylib::mixed", mutates_args=())
def mixed(x: torch.Tensor, parts: list[torch.Tensor], scale: float) -> torch.Tensor:
    return scale * x + sum(parts)


mixed.register_autograd(lambda ctx, grad: (grad, [grad], None))
y = mixed(torch.ones(2), [torch.ones(2)], 2.0)
```

Message (torch 2.4 to 2.13; `position`):

```text
NotImplementedError: custom_op with kwarg-only Tensor args. Please make your tensors not kwarg-only. Got: c1(Tensor x, *, Tensor y) -> Tensor
```

Message (torch 2.1 to 2.13; `(Tensor x) -> Tensor`):

```text
ValueError: define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "Tensor x -> Tensor"
```

Message (torch 2.1 to 2.13; `mylib::`):

```text
ValueError: Expected `qualname` to be of the form "namespace::name", but got nope. The qualname passed to the torch.library APIs must consist of a namespace and a name, e.g. aten::sin
```

Message (torch 2.1 to 2.13; `CUDA`):

```text
RuntimeError: could not parse dispatch key: GPU
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NAMESPACE = "the name of an operator has a namespace: 'mylib::name'"


@pitfall.explains(
    r"infer_schema\(func\): (?:Parameter (?P<name>\w{1,80})|(?P<result>Return)) has unsupported type (?P<kind>[^\n]{1,120}?)\. (?:We|The) ",
    odds=0.97,
)
def of_no_schema(failure: Failure) -> Hits:
    kind = failure.groups["kind"].removeprefix("<class '").removesuffix("'>")
    what = f"`{failure.groups['name']}`" if failure.groups["name"] else "the result"
    yield failure.hit(
        f"{what} is annotated {kind}, which no operator has: Tensor, int, float, bool, str, a list or Optional of one"
    )


@pitfall.explains(
    r"(?P<names>\{[^}\n]{1,120}\}) in mutates_args were not found in the custom op's signature",
    odds=0.97,
)
def changes_what_is_not_there(failure: Failure) -> Hits:
    names = failure.groups["names"].strip("{}").replace("'", "`")
    yield failure.hit(f"`mutates_args` names {names}, and no argument is called so")


@pitfall.explains(r"not enough values to unpack \(expected 2, got 1\)", odds=0.93)
def without_namespace(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(NAMESPACE)


@pitfall.explains(r"could not parse dispatch key: (?P<key>\w{1,40})", odds=0.96)
def no_such_key(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no device or key {failure.groups['key']!r}: 'CPU', 'CUDA', 'Meta' or 'CompositeExplicitAutograd'"
    )


pitfall.answers(
    {
        "infer_schema(func): No return type annotation": "the function does not say what it gives: -> torch.Tensor, or -> None",
        "infer_schema(func): We do not support positional-only": "an operator has a fixed number of arguments: no *args or **kwargs, but list[torch.Tensor]",
        "Cannot register autograd formula for non-functional": "an operator that changes its argument in place has no gradient: one that returns a new tensor, and mutates_args=()",
        "with kwarg-only Tensor args": "tensors of an operator are given by position: no * before them",
        "expected schema to look like e.g.": "a schema has its arguments in brackets: '(Tensor x) -> Tensor'",
        "Expected `qualname` to be of the form": NAMESPACE,
    },
    odds=0.97,
)
