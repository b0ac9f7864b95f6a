r"""The program itself raises, and `torch.compile` meets it while it traces.

Dynamo runs the operations on fake tensors, which have shapes and dtypes and no numbers. What would raise without compiling, as shapes
that do not fit, raises here before anything was computed, wrapped in words about fake tensors. The cause stands at the
end: after `Got`, or after the colon.

Cure: run it without `torch.compile` first (`TORCHDYNAMO_DISABLE=1`); what raises there too is the program's own. What raises only
here is an operator without a fake form: `torch.library.register_fake`.

Bad:

```python
import torch


@torch.compile(backend="eager")
def joined(a, b):
    return torch.cat([a, b], 1)  # seen: two rows and four


y = joined(torch.ones(2, 3), torch.ones(4, 3))
```

Good:

```python
import torch


@torch.compile(backend="eager")
def joined(a, b):
    return torch.cat([a, b], 1)


y = joined(torch.ones(2, 3), torch.ones(2, 3))
```

Message (torch 2.0 to 2.5; `aten._index_put_impl_.default`):

```text
torch._dynamo.exc.TorchRuntimeError: Failed running call_function <built-in method conv2d of type object at 0x7f>(*(FakeTensor(..., size=(1, 3, 8, 8)),), **{}):
aten._index_put_impl_.default
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Dynamo failed to run FX node with fake tensors: .{0,1500}?[Gg]ot (?P<why>\w+\(.{1,200})",
    r"Failed running call_(?:function|module|method) .{1,1500}?\*\*\{[^{}]{0,200}\}\):\s(?P<why>.{1,200})",
    odds=0.6,
)
def raised_without_compiling(failure: Failure) -> Hits:
    why = failure.groups["why"].strip().rstrip(".")
    yield failure.hit(
        f"the program's own error, met while compiling: {why}; a run without torch.compile shows it at its line"
    )
