r"""The example that a model is traced with is not what its forward takes.

`torch.jit.trace(model, example)`, `torch.onnx.export` and `torch.export.export` call the model with `*example`: a tuple, or for the first a list, gives one argument for
each of its entries. A forward that takes one list of tensors gets two arguments so, and one that takes two gets a single one where the example is a bare
tensor or a batch.

Cure: one entry for each argument, `(x, mask)`; a list or tuple that is one argument stands in a tuple of one, `([x, y],)`; keywords by `example_kwarg_inputs=`,
`kwargs=`.

Bad (one argument, a list):

```python
import torch


class Merge(torch.nn.Module):
    def forward(self, features):
        return features[0] + features[1]


batch = [torch.ones(2), torch.ones(2)]
traced = torch.jit.trace(Merge(), batch)  # seen: a tuple of one
```

Good:

```python
import torch


class Merge(torch.nn.Module):
    def forward(self, features):
        return features[0] + features[1]


batch = [torch.ones(2), torch.ones(2)]
program = torch.export.export(Merge(), (batch,))
```

Bad (two arguments, one tensor):

```python
import torch


class Masked(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask


program = torch.export.export(Masked(), (torch.ones(2),))  # seen: `mask`
```

Message (torch 1.13; `example`):

```text
  File "train.py", line 3, in <module>
    torch.jit.trace(model, batch_data)
  File "/env/lib/python3.8/site-packages/torch/jit/_trace.py", line 1056, in trace_module
    module._c._create_method_from_trace(
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1488, in _slow_forward
    result = self.forward(*input, **kwargs)
TypeError: forward() missing 1 required positional argument: 'y'
```

Message (torch 2.13; `too many`):

```text
  File "train.py", line 3, in <module>
    torch.export.export(Merge(), (a, b))
  File "/env/lib/python3.11/site-packages/torch/export/_trace.py", line 1980, in _export_for_training
    original_signature.bind(*args, **kwargs)
TypeError: too many positional arguments
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

TRACERS = ("torch/jit/_trace.py", "torch/jit/__init__.py", "torch/onnx/utils.py")
EXPORTERS = ("torch/export/_trace.py", "torch/export/__init__.py")


@pitfall.explains(
    r"forward\(\) takes (?:from \d+ to )?\d+ positional arguments? but \d+ were given",
    r"(?:^|: )too many positional arguments$",
    odds=0.96,
)
def more_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(
            "the example holds too many: each entry is an argument of forward, so a list or tuple that is one argument stands in a tuple of one, (batch,)"
        )


@pitfall.explains(
    r"forward\(\) missing \d+ required positional arguments?: '(?P<name>\w{1,60})'",
    r"(?:^|: )missing a required argument: '(?P<name>\w{1,60})'",
    odds=0.96,
)
def fewer_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(
            f"the example has nothing for `{failure.groups['name']}`: one entry for each argument of forward, as (x, y)"
        )
