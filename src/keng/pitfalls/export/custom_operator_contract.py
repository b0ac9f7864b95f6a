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

Message (torch 2.4 to 2.13; `register_fake`):

```text
RuntimeError: There was no fake impl registered for <CustomOpDef(mylib::doubled)>. This is necessary for torch.compile/export/fx tracing to work. Please use `doubled.register_fake` to add an fake impl.
```

Message (torch 2.4 to 2.13; `-> int`):

```text
Traceback (most recent call last):
  File "/home/u/ops.py", line 12, in <module>
    count(torch.ones(2))
  File "/opt/conda/lib/python3.11/site-packages/torch/_library/custom_ops.py", line 681, in __call__
    return self._opoverload(*args, **kwargs)
  File "/opt/conda/lib/python3.11/site-packages/torch/_ops.py", line 875, in __call__
    return self._op(*args, **kwargs)
RuntimeError: Unable to cast 3 to Tensor
```
"""

from keng.explain.failure import Failure
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


@pitfall.explains(
    r"There was no fake impl registered for (?:<CustomOpDef\()?(?P<name>[\w:.]{1,120})", odds=0.97
)
def no_fake(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not say what it gives before it runs, which compilers ask: @op.register_fake, a function that gives an empty "
        "tensor of that shape"
    )


@pitfall.explains(r"Unable to cast (?P<came>\S{1,60}) to Tensor", odds=0.93)
def gives_no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(
            f"the operator gives {failure.groups['came']} where its annotation says Tensor: torch.tensor(...), or -> int"
        )
