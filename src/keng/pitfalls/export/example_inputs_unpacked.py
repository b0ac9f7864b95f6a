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

Message (torch 2.0 to 2.13; `trace(model, x)`):

```text
RuntimeError: example_kwarg_inputs should be a dict
```

Message (torch 2.0 to 2.13; `pixels`):

```text
Traceback (most recent call last):
  File "/home/u/export.py", line 9, in <module>
    traced = torch.jit.trace(model, example_kwarg_inputs={"pixels": x})
  File "/opt/conda/lib/python3.11/site-packages/torch/jit/_trace.py", line 1200, in _get_trace_module_inputs
    raise NameError(
NameError: 'pixels' is not in forward() method's arguments,                          valid arguments name are [input]
```

Message (torch 1.1 to 2.13; `{'forward': x}`):

```text
AttributeError: expected a dictionary of (method_name, input) pairs
```

Message (torch 1.1 to 2.13; `torch.jit.trace takes`):

```text
AttributeError: expected torch.nn.Module as the first argument
```

Message (torch 1.1 to 2.13; `no-op`):

```text
UserWarning: The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.
```
"""

from keng.explain.failure import Failure
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


@pitfall.explains(
    r"'(?P<name>\w{1,60})' is not in forward\(\) method's arguments,\s{1,60}valid arguments name are \[(?P<known>[^\]\n]{0,200})\]",
    odds=0.97,
)
def named_otherwise(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(
        f"forward has no argument `{name}`, and has {known or 'none'}: the same names in the example"
    )


pitfall.answers(
    {
        "example_kwarg_inputs should be a dict": "torch.jit.trace has no example: trace(model, x), or example_kwarg_inputs={'x': x}",
        "expected a dictionary of (method_name, input) pairs": "trace_module takes an example for each method by its name: {'forward': x}",
        "expected torch.nn.Module as the first argument": "trace_module traces methods of a module: a function is what torch.jit.trace takes",
        "tracing it is a no-op": "the model is scripted or traced already, and tracing it does nothing (a no-op): trace the model that it was made of",
    },
    odds=0.96,
)
