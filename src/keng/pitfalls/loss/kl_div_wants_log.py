r"""The KL divergence gets probabilities where it takes their logarithms.

`F.kl_div(input, target)` and `nn.KLDivLoss` take log-probabilities first and probabilities second (or
both as logarithms, with `log_target=True`), the model's first. Given probabilities, the number is no
divergence: it falls below zero and has its least value elsewhere than where the two agree, without any
error. Only `reduction="batchmean"` is the divergence of mathematics; the default divides by the number
of classes too, and says so in a warning.

Cure: `F.kl_div(F.log_softmax(scores, dim=1), probabilities, reduction="batchmean")`.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
p = F.softmax(student(x), dim=1)
loss = F.kl_div(p, target, reduction="batchmean")  # here: p is no logarithm
loss.backward()
```

Bad (a module, with the two the other way round):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
criterion = nn.KLDivLoss(reduction="batchmean")
log_p = F.log_softmax(student(x), dim=1)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
loss = criterion(target, log_p)  # here: the logarithm goes first
```

Proof:

```python
assert loss.isnan() or loss < 0
```

Bad (both are logarithms):

```python
import torch
import torch.nn.functional as F

torch.manual_seed(0)
student, teacher = torch.randn(8, 5), torch.randn(8, 5)
p, q = F.log_softmax(student, dim=1), F.log_softmax(teacher, dim=1)
loss = F.kl_div(p, q, reduction="batchmean")  # here: q is to be probabilities, or said to be none
```

Proof:

```python
assert loss.isnan()
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
loss = F.kl_div(F.log_softmax(student(x), dim=1), target, reduction="batchmean")
loss.backward()
```

Fine (logarithms of other kinds):

```python
import torch
import torch.nn.functional as F
from torch import nn

student = nn.Linear(8, 3)
x, target = torch.randn(16, 8), torch.full((16, 3), 1 / 3)
p = F.softmax(student(x), dim=1)
F.kl_div((p + 1e-8).log(), target, reduction="batchmean").backward()
F.kl_div(p.clamp_min(1e-8).log(), target.log(), reduction="batchmean", log_target=True)
```

Message (torch 1.8 to 2.13; `batchmean`):

```text
UserWarning: reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LossCall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

LOSSES = ("torch.nn.KLDivLoss", "torch.nn.functional.kl_div")
SOFTMAX = {
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.Tensor.softmax",
    "torch.nn.Softmax",
}
LOGS = {
    "torch.log_softmax",
    "torch.nn.functional.log_softmax",
    "torch.Tensor.log_softmax",
    "torch.nn.LogSoftmax",
}


@pitfall.finds(fixes=True)
def probabilities_first(code: Code) -> Hits:
    for call in code.loss_calls(*LOSSES):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        softmax = origins[0].call if len(origins) == 1 else None
        alone = softmax is given or (isinstance(given, ast.Name) and code.used_once(given))
        fix = None
        if softmax is not None and alone and (text := code.respelled(softmax, "log_softmax")):
            fix = Fix("Give the logarithm: log_softmax", (code.replace(softmax, text),))
        target = code.argument(call, "target", position=1)
        if target is not None and all(o.dotted in LOGS for o in code.origins(target)):
            first, second = code.text_of(given), code.text_of(target)
            edits = (code.replace(given, second), code.replace(target, first))
            fix = Fix("Give the logarithm first", edits)
        yield code.hit(call, f"`{code.text_of(given)}` is a softmax, no logarithm", fix=fix)


@pitfall.finds(fixes=True)
def logarithms_second(code: Code) -> Hits:
    for call in code.loss_calls(*LOSSES):
        target = code.argument(call, "target", position=1)
        maker = code.value_of(call.func).call or call
        said = any(k.arg in ("log_target", None) for c in (call, maker) for k in c.keywords)
        if target is None or said or any(o.dotted not in LOGS for o in code.origins(target)):
            continue
        first = code.origins(code.argument(call, "input", position=0))
        if all(o.dotted in LOGS for o in first):
            fix = None
            if code.resolve(call.func) == "torch.nn.functional.kl_div":
                fix = code.add_argument(call, "log_target=True", "Say that both are logarithms")
            says = f"`{code.text_of(target)}` is a logarithm: log_target=True is to say so"
            yield code.hit(call, says, fix=fix)


@pitfall.watches("loss")
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "kl_div" and call.input_made_by == "softmax":
        given = f"`{call.input}`" if call.input else "the input"
        yield call.hit(f"{given} went through softmax, but kl_div takes its logarithm")


@pitfall.explains(
    r"'mean' divides the total loss by both the batch size and the support size", odds=0.93
)
def divided_twice(failure: Failure) -> Hits:
    yield failure.hit(
        "the mean is over the classes too, which is no divergence: reduction='batchmean'"
    )
