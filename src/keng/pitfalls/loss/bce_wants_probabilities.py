r"""Binary cross-entropy gets raw outputs, or the one that wants raw outputs gets probabilities.

`nn.BCELoss` and `F.binary_cross_entropy` take probabilities: raw outputs, which lie outside 0 and 1,
raise an error, on a GPU a device-side assert. `nn.BCEWithLogitsLoss` has the sigmoid inside. Given
probabilities it applies a second one: every prediction then lies between 0.5 and 0.73, the loss cannot
come near zero, and nothing is raised. A NaN from the model is no probability either and raises the
same error.

Cure: `nn.BCEWithLogitsLoss` on raw outputs; it is the more exact of the two.

Bad (raw outputs):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
criterion = nn.BCELoss()
output = model(torch.randn(16, 8))
loss = criterion(output, torch.ones(16, 1))  # here: a linear layer gives no probabilities
```

Bad (raw outputs of a model):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(8, 4), nn.Linear(4, 1)

    def forward(self, x):
        x = torch.relu(self.hidden(x))
        return self.out(x).squeeze(1)


torch.manual_seed(0)
net = Net()
loss = F.binary_cross_entropy(net(torch.randn(64, 8)), torch.ones(64))  # here: no sigmoid
```

Bad (a decoder that ends with a sigmoid, and gives other things as well):

```python
import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(16, 8), nn.Linear(4, 16)

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (logvar / 2).exp()
        return torch.sigmoid(self.decoder(z)), mu, logvar


torch.manual_seed(0)
vae, x = VAE(), torch.rand(32, 16)
recon, mu, logvar = vae(x)
bce = F.binary_cross_entropy_with_logits(recon, x)  # here: a sigmoid went before
loss = bce - 0.5 * (1 + logvar - mu.square() - logvar.exp()).mean()
```

Bad (labels that are no probabilities):

```python
import torch
import torch.nn.functional as F

scores = torch.sigmoid(torch.randn(4))
loss = F.binary_cross_entropy(scores, torch.tensor([0.0, 1.0, 2.0, 1.0]))  # seen: a label of 2
```

Bad (a second sigmoid):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
criterion = nn.BCEWithLogitsLoss()
probability = model(torch.randn(16, 8))
loss = criterion(probability, torch.ones(16, 1))  # here: the model ends in a sigmoid
loss.backward()
```

Bad (a second sigmoid, as a function):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
score = torch.sigmoid(model(torch.randn(16, 8)))
loss = F.binary_cross_entropy_with_logits(score, torch.ones(16, 1))  # here: it has one inside
loss.backward()
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
criterion = nn.BCEWithLogitsLoss()
output = model(torch.randn(16, 8))
loss = criterion(output, torch.ones(16, 1))
loss.backward()
probability = torch.sigmoid(output)
```

Fine (probabilities, clamped ones, logits of which a copy is read, a sigmoid in the targets):

```python
import torch
import torch.nn.functional as F
from torch import nn

model, teacher = nn.Linear(8, 1), nn.Linear(8, 1)
x = torch.randn(16, 8)
F.binary_cross_entropy(torch.sigmoid(model(x)), torch.ones(16, 1)).backward()
F.binary_cross_entropy(model(x).clamp(0, 1), torch.ones(16, 1)).backward()
with torch.no_grad():
    target = torch.sigmoid(teacher(x))
F.binary_cross_entropy_with_logits(model(x), target).backward()
```

Message (torch 1.13 to 2.13, CUDA):

```text
../aten/src/ATen/native/cuda/Loss.cu:92: operator(): block: [0,0,0], thread: [3,0,0] Assertion `input_val >= zero && input_val <= one` failed.
RuntimeError: CUDA error: device-side assert triggered
```

Message (torch 1.5 to 2.13, behind a sigmoid; `weights that diverged`):

```text
  File "/code/train.py", line 88, in step
    loss = F.binary_cross_entropy(torch.sigmoid(scores), labels)
RuntimeError: all elements of input should be between 0 and 1
```

Message (torch 1.0):

```text
RuntimeError: Assertion `x >= 0. && x <= 1.' failed. input value should be between 0~1, but got -0.118402 at /pytorch/aten/src/THNN/generic/BCECriterion.c:62
```

Message (torch 1.6 to 2.13, CUDA; `binary_cross_entropy_with_logits`):

```text
RuntimeError: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast. Many models use a sigmoid layer right before the binary cross entropy layer. In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits or torch.nn.BCEWithLogitsLoss.
```

Message (torch 1.0 to 1.7, CUDA):

```text
/pytorch/aten/src/THCUNN/BCECriterion.cu:57: void bce_updateOutput_no_reduce_functor<Dtype, Acctype>::operator()(const Dtype *, const Dtype *, Dtype *): block: [0,0,0], thread: [31,0,0] Assertion `*input >= 0. && *input <= 1.` failed.
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LossCall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

LOGITS = ("torch.nn.BCEWithLogitsLoss", "torch.nn.functional.binary_cross_entropy_with_logits")
PROBABILITIES = ("torch.nn.BCELoss", "torch.nn.functional.binary_cross_entropy")
SIGMOIDS = {
    "torch.sigmoid",
    "torch.nn.functional.sigmoid",
    "torch.Tensor.sigmoid",
    "torch.nn.Sigmoid",
}
LABELS = "masks of 0 and 255 are (mask > 0).float(), labels of 1 and 2 less 1, and several classes want cross_entropy"
RAW_OR_NAN = "raw outputs want BCEWithLogitsLoss; or the model gave NaN"
NAN = "behind a sigmoid that is NaN, of the data or of weights that diverged; any other raw output wants BCEWithLogitsLoss"
RAW = {f"torch.nn.{layer}" for layer in ("Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d")}


@pitfall.finds(fixes=True)
def second_sigmoid(code: Code) -> Hits:
    for call in code.loss_calls(*LOGITS):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in SIGMOIDS for origin in origins):
            continue
        sigmoid = origins[0].call if len(origins) == 1 else None
        fix = code.bypass(sigmoid, "Give the raw outputs to the loss")
        says = f"`{code.text_of(given)}` went through a sigmoid already"
        yield code.hit(call, says, fix=fix)


@pitfall.finds(fixes=True)
def raw_outputs_given(code: Code) -> Hits:
    for call in code.loss_calls(*PROBABILITIES):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in RAW for origin in origins):
            continue
        written = code.value_of(call.func).call or call
        fix = None
        if written in code.parent and isinstance(written.func, ast.Attribute):
            at_home = code.resolve(written.func).startswith("torch.nn.functional.")
            name = f"{code.text_of(written.func.value)}." + (
                "binary_cross_entropy_with_logits" if at_home else "BCEWithLogitsLoss"
            )
            title = "Use the loss that has the sigmoid inside"
            fix = Fix(title, (code.replace(written.func, name),))
        says = f"`{code.text_of(given)}` comes from a layer without a sigmoid"
        yield code.hit(call, says, fix=fix)


@pitfall.watches("loss")
def sigmoid_in_the_graph(call: LossCall) -> Hits:
    if call.function == "binary_cross_entropy_with_logits" and call.input_made_by == "sigmoid":
        given = f"`{call.input}`" if call.input else "the input"
        yield call.hit(f"{given} went through a sigmoid before the loss, which has one inside")


@pitfall.explains(
    r"all elements of (?P<which>input|target) should be between 0 and 1",
    r"Assertion `(?P<which>input)_val >= zero && input_val <= one` failed",
    r"Assertion `\*?(?P<which>input) >= 0\. && \*?input <= 1\.['`] failed",
    r"Assertion `x >= 0\. && x <= 1\.' failed\. (?P<which>input) value should be between",
    odds=0.95,
)
def no_probability(failure: Failure) -> Hits:
    names = [f"`{operand.name}`" for operand in failure.live.operands]
    if failure.groups["which"] == "target":
        name = names[1] if len(names) == 2 else "the target"
        yield failure.hit(f"{name} holds values outside 0 and 1: {LABELS}")
        return
    name = names[0] if names else "the loss's input"
    cure = NAN if "sigmoid(" in failure.line or "sigmoid(" in failure.around else RAW_OR_NAN
    yield failure.hit(f"{name} is no probability: {cure}")


@pitfall.explains(r"BCELoss are unsafe to autocast", odds=0.97)
def in_half_precision(failure: Failure) -> Hits:
    yield failure.hit(
        "under autocast the sigmoid belongs into the loss: binary_cross_entropy_with_logits, no sigmoid before"
    )
