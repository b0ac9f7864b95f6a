r"""A tensor without numbers stands in for a real one, and is asked for them.

Compiling and exporting run the program on fake tensors, which have a shape, a dtype and a device, and no memory. `.item()`, results whose size
depends on the numbers, an operator in C++ or Triton that takes the pointer of the data, and an operation with a real tensor that was
made before all ask for what is not there.

Cure: for an operator of one's own `torch.library.custom_op` and `register_fake`, which says the shape of the result; a real tensor that the
program brings along as a buffer or an argument; `torch.where` in place of sizes that depend on numbers.

Bad (a real tensor beside a fake one):

```python
import torch
from torch._subclasses import FakeTensorMode

table = torch.ones(2)
with FakeTensorMode():
    y = torch.ones(2) + table  # seen: `aten.add.Tensor`
```

Bad (a number):

```python
import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    n = torch.ones(1).item()  # seen: `aten._local_scalar_dense.default`
```

Bad (a size that depends on numbers):

```python
import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    at = torch.ones(3).nonzero()  # seen: `aten.nonzero.default`
```

Good:

```python
import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    y = torch.ones(2) + torch.ones(2)
```

Message (torch 2.0 to 2.13; `aten.nonzero.default`):

```text
torch._subclasses.fake_tensor.DynamicOutputShapeException: aten.nonzero.default
```

Message (torch 2.1 to 2.13, an operator without a fake form; `torchvision.nms.default`):

```text
torch._subclasses.fake_tensor.UnsupportedOperatorException: torchvision.nms.default
```

Message (torch 2.0 to 2.13; `register_fake`):

```text
RuntimeError: The tensor has a non-zero number of elements, but its data is not allocated yet.
If you're using torch.compile/export/fx, it is likely that we are erroneously tracing into a custom kernel. To fix this, please wrap the custom kernel into an opaque custom op. Please see the following for details: https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html
```

Message (torch 2.4 to 2.13; `register_fake`):

```text
RuntimeError: Cannot access data pointer of Tensor (e.g. FakeTensor, FunctionalTensor). If you're using torch.compile/export/fx, it is likely that we are erroneously tracing into a custom kernel. To fix this, please wrap the custom kernel into an opaque custom op.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

# Their rules are tried out on fake tensors: what they say of it stands in the error that follows.
OF_DISTRIBUTED_TENSORS = "torch/distributed/tensor/_sharding_prop.py"


@pitfall.explains(
    r"Please convert all Tensors to FakeTensors first(?:.{0,120}?Found in (?P<op>[\w.]{1,80}))?",
    odds=0.95,
)
def real_beside_fake(failure: Failure) -> Hits:
    op = failure.groups["op"]
    yield failure.hit(
        f"a real tensor meets fake ones{f' in {op}' if op else ''}: make it a buffer of the model or an argument of the "
        "function, not a global or a plain attribute"
    )


@pitfall.explains(
    r"(?:DataDependentOutput|DynamicOutputShape)Exception: (?P<op>[\w.]{1,80})", odds=0.95
)
def depends_on_numbers(failure: Failure) -> Hits:
    if not failure.passed_through(OF_DISTRIBUTED_TENSORS):
        yield failure.hit(
            f"the result of {failure.groups['op']} depends on numbers, and a fake tensor has none: torch.where, torch.cond, or "
            "outside of what is traced"
        )


@pitfall.explains(r"UnsupportedOperatorException: (?P<op>[\w.]{1,80})", odds=0.95)
def no_fake_form(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} does not say what it gives for fake tensors: torch.library.register_fake, or import the package "
        "that registers it"
    )


@pitfall.explains(
    r"non-zero number of elements, but its data is not allocated yet",
    r"Cannot access data pointer of Tensor \(e\.g\. FakeTensor",
    odds=0.93,
)
def pointer_taken(failure: Failure) -> Hits:
    yield failure.hit(
        "an operator in C++ or Triton takes the memory of a tensor that has none while the program is traced: wrap it by "
        "torch.library.custom_op with register_fake"
    )
