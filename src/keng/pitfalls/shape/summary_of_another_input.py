r"""A summary of a model is asked for with an input that the model does not take, or gives outputs that it cannot count.

torchsummary and torchinfo run the model once on random numbers of the sizes that they are given. torchsummary takes sizes without the batch, makes it 2, and lays
the numbers on the GPU unless `device="cpu"` is said; torchinfo takes sizes with the batch. Numbers are floats, so that an embedding refuses
them. torchsummary reads the size of whatever a layer returns, and fails where that is a tuple of tuples, as of an LSTM, a dict or None.

Cure: `torchinfo.summary(model, input_size=(1, 3, 224, 224))`, or `input_data=batch` with what the model is really given; where torchinfo fails,
the error above its own is the model's, as `model(x)` shows.

Bad:

```python
import torch
from torch import nn
from torchsummary import summary

summary(nn.LSTM(8, 16, batch_first=True), (5, 8), device="cpu")
```

Good:

```python
import torch
from torch import nn
from torchinfo import summary

summary(nn.LSTM(8, 16, batch_first=True), input_size=(1, 5, 8))
```

Message (torchinfo 1.8; `model(x)`):

```text
RuntimeError: Failed to run torchinfo. See above stack traces for more details. Executed layers up to: [Conv2d: 1, ReLU: 1]
```

Message (torchsummary 1.5; `a tuple`):

```text
Traceback (most recent call last):
  File "/home/u/net.py", line 25, in <module>
    summary(model, (100, 11))
  File "/opt/conda/lib/python3.8/site-packages/torchsummary/torchsummary.py", line 72, in summary
    model(*x)
  File "/opt/conda/lib/python3.8/site-packages/torch/nn/modules/module.py", line 493, in __call__
    hook_result = hook(self, input, result)
  File "/opt/conda/lib/python3.8/site-packages/torchsummary/torchsummary.py", line 23, in <listcomp>
    [-1] + list(o.size())[1:] for o in output
AttributeError: 'tuple' object has no attribute 'size'
```

Message (torchsummary 1.5; `several outputs`):

```text
Traceback (most recent call last):
  File "/home/u/net.py", line 25, in <module>
    summary(model, (3, 224, 224))
  File "/opt/conda/lib/python3.8/site-packages/torchsummary/torchsummary.py", line 94, in summary
    total_output += np.prod(summary[layer]["output_shape"])
TypeError: can't multiply sequence by non-int of type 'list'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchsummary, torchinfo")

SUMMARY = "torchsummary/torchsummary.py"
CURE = "torchinfo.summary, which counts them"


@pitfall.explains(
    r"Failed to run torch(?:info|summary)\. See above stack traces for more details", odds=0.6
)
def model_refused_it(failure: Failure) -> Hits:
    yield failure.hit(
        "the model refused what torchinfo made of input_size: the error above tells why, as model(x) does; the size has the batch, "
        "and input_data= takes a real one"
    )


@pitfall.explains(
    r"'(?P<kind>tuple|list|dict|NoneType|str|int)' object has no attribute 'size'", odds=0.95
)
def output_without_size(failure: Failure) -> Hits:
    if failure.raised_in.endswith(SUMMARY):
        kind = failure.groups["kind"]
        yield failure.hit(
            f"a layer returns a {kind} among its outputs, as an LSTM a tuple, whose size torchsummary cannot read: {CURE}"
        )


@pitfall.explains(r"can't multiply sequence by non-int of type '(?P<kind>tuple|list)'", odds=0.95)
def outputs_not_counted(failure: Failure) -> Hits:
    if failure.passed_through(SUMMARY):
        yield failure.hit(f"a layer has several outputs, which torchsummary cannot count: {CURE}")
