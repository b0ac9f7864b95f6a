r"""An operator of one's own does otherwise than operators do.

`torch.library.custom_op` makes a function an operator that compilers take as it is. For that its arguments and results are annotated, it changes nothing that is not named in
`mutates_args`, it gives new tensors and none of its inputs, and its gradient is registered apart.

Cure: annotate each argument; `return x.clone()`; name what is changed, `mutates_args={"out"}`; `register_autograd` for the gradient, and
`torch.library.opcheck` to try it all.

Bad (an input is given back):

```python
import torch


@torch.library.custom_op("mylib::same", mutates_args=())
def same(x: torch.Tensor) -> torch.Tensor:
    return x


y = same(torch.ones(2))  # seen: `same`
```

Bad (no annotation):

```python
import torch


@torch.library.custom_op("mylib::double", mutates_args=())  # seen: `x`
def double(x) -> torch.Tensor:
    return 2 * x
```

Bad (no gradient):

```python
import torch


@torch.library.custom_op("mylib::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


double(torch.ones(2, requires_grad=True)).sum().backward()  # seen: `mylib.double`
```

Good:

```python
import torch


@torch.library.custom_op("mylib::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


double.register_autograd(lambda ctx, grad: 2 * grad)
double(torch.ones(2, requires_grad=True)).sum().backward()
```

Message (torch 2.7 to 2.13; `opcheck`):

```text
AssertionError: expected size 3==3, stride 4097==512 at dim=0
This error most often comes from a incorrect fake (aka meta) kernel for a custom op.
Use torch.library.opcheck to test your custom op.
```

Message (torch 2.0 to 2.6; `stride`):

```text
AssertionError: expected size 64==64, stride 16384==1 at dim=1
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<name>[\w:.]{1,120}) \(with implementation in .{1,400}?The output of this custom operator \(1\) must not also be an input",
    odds=0.97,
)
def gives_its_input(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` gives back one of its inputs, or a view of it: return a clone()"
    )


@pitfall.explains(
    r"infer_schema\(func\): Parameter (?P<name>\w{1,80}) must have a type annotation", odds=0.97
)
def not_annotated(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` of an operator has no type: annotate it, as torch.Tensor, int or float"
    )


@pitfall.explains(
    r"Trying to backward through (?P<name>[\w:.]{1,120}?)(?:\.default)? but no autograd formula was registered",
    odds=0.97,
)
def no_gradient(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no gradient: register_autograd, or detach() what goes in"
    )


@pitfall.explains(
    r"expected size (?P<size>\d+==\d+), stride (?P<stride>\d+==\d+) at dim=\d+", odds=0.8
)
def laid_out_otherwise(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor has another stride than it was compiled for ({failure.groups['stride']}): the fake of a custom operator tells another layout (opcheck), or inductor errs: .contiguous() before it, a newer PyTorch, backend='aot_eager'"
    )
