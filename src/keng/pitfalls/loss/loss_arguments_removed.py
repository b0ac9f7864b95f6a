r"""A loss is told by `size_average` or `reduce` how to sum up.

Up to PyTorch 0.4, `reduce=False` gave one loss for each element, otherwise `size_average` chose between
their mean and their sum. Since then `reduction` says all of it. The old arguments still work, with a
warning, and overrule `reduction`; "elementwise_mean", of PyTorch 0.4.1, still stands for "mean".

Cure: `reduction="none"` for `reduce=False`, `reduction="sum"` for `size_average=False`, else nothing:
the mean is the default.

Bad:

```python
import warnings

import torch
from torch import nn

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    criterion = nn.MSELoss(size_average=False)  # here: the sum
    loss = criterion(torch.ones(4), torch.zeros(4))
```

Proof:

```python
assert any("size_average" in str(warning.message) for warning in said)
```

Bad (as a function, and both at once):

```python
import warnings

import torch
import torch.nn.functional as F

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    scores, labels = torch.randn(4, 3), torch.tensor([0, 1, 2, 1])
    each = F.cross_entropy(scores, labels, size_average=False, reduce=False)  # here: one for each
    mean = F.cross_entropy(scores, labels, reduction="elementwise_mean")  # here: an older name
```

Proof:

```python
assert len(said) > 1
```

Bad (given beforehand):

```python
import functools
import warnings

import torch
import torch.nn.functional as F

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    criterion = functools.partial(F.mse_loss, size_average=False)  # here: the sum
    loss = criterion(torch.ones(4), torch.zeros(4))
```

Proof:

```python
assert any("size_average" in str(warning.message) for warning in said)
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

criterion = nn.MSELoss(reduction="sum")
loss = criterion(torch.ones(4), torch.zeros(4))
each = F.cross_entropy(torch.randn(4, 3), torch.tensor([0, 1, 2, 1]), reduction="none")
```

Fine (losses of one's own):

```python
import torch


class Loss(torch.nn.Module):
    def __init__(self, size_average=True):
        super().__init__()
        self.size_average = size_average

    def forward(self, x):
        return x.mean() if self.size_average else x.sum()


loss = Loss(size_average=False)(torch.ones(3))
```

Message (torch 1.0 to 2.13):

```text
/opt/venv/lib/python3.11/site-packages/torch/nn/_reduction.py:42: UserWarning: size_average and reduce args will be deprecated, please use reduction='sum' instead.
  warnings.warn(warning.format(ret))
```

Message (torch 1.0 to 2.13, a name of 0.4.1):

```text
UserWarning: reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.finds(fixes=True)
def old_arguments(code: Code) -> Hits:
    for call in code.torch_losses():
        old = [k for k in call.keywords if k.arg in ("size_average", "reduce")]
        if not old or any(code.is_constant(k.value, None) for k in old):
            continue
        said = {k.arg: getattr(k.value, "value", None) for k in old}
        known = all(isinstance(value, bool) for value in said.values())
        mean = "mean" if said.get("size_average", True) else "sum"
        reduction = "none" if said.get("reduce") is False else mean
        fix = code.swap_arguments(old, f'reduction="{reduction}"', "Say it with `reduction`")
        also = any(k.arg == "reduction" for k in call.keywords)
        names = " and ".join(f"`{name}`" for name in said)
        says = (
            f"{names} {'stand' if len(said) > 1 else 'stands'} for reduction, which has replaced it"
        )
        yield code.hit(call, says, fix=fix if known and not also else None)


@pitfall.finds(fixes=True)
def old_name_of_the_mean(code: Code) -> Hits:
    for call in code.torch_losses():
        for keyword in call.keywords:
            if keyword.arg == "reduction" and code.is_text(keyword.value, "elementwise_mean"):
                fix = Fix('Write "mean"', (code.replace(keyword.value, '"mean"'),), "safe")
                yield code.hit(call, '"elementwise_mean" is an old name of "mean"', fix=fix)


@pitfall.explains(
    r"size_average and reduce args will be deprecated, please use reduction='(?P<now>\w+)' instead",
    r"reduction='elementwise_mean' is deprecated\. Please use reduction='(?P<now>\w+)' instead",
    odds=0.95,
)
def warned(failure: Failure) -> Hits:
    now = failure.groups["now"]
    default = ", which is the default" if now == "mean" else ""
    yield failure.hit(
        f"the loss is meant to have reduction={now!r}{default}; only the words are old"
    )
