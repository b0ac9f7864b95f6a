r"""The loss becomes NaN or infinite.

One value that is not finite makes the loss NaN, its gradients make every weight NaN, and from then on
the model is lost, without any error. There are few causes: dirty data; a function at the edge of where
it is defined (the log of 0, a division by 0, the slope of a square root at 0); steps so large that the
weights explode; a number too large for half precision; a batch whose labels are all ignored.

Cause and cure go together: clean the batch; keep the argument away from the edge (`log(p + eps)`,
`clamp`, or a function that does it well, as `log_softmax`); lower the learning rate or clip gradients;
scale the loss down or use bfloat16; leave out the batch.

Cure: find the first value that was not finite, and mend what made it; do not go on past it.

Bad (a logarithm in the model):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        rate = self.fc(x).relu()
        return torch.log(rate)  # seen: relu gives 0: `infinite in net, first in sample 0`


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(torch.randn(16, 8)), torch.zeros(16, 3))
    loss.backward()
    optimizer.step()
```

Bad (a cross-entropy written by hand):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 3)
x = torch.randn(16, 8)
x[5] *= 1000
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    p = torch.softmax(net(x), dim=1)
    entropy = p * torch.log(p)  # seen: p is exactly 0 where the model is sure
    (-entropy.sum(1).mean()).backward()
    optimizer.step()
```

Bad (dirty data):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.randn(64, 8)
images[21, 3] = float("nan")
loader = DataLoader(TensorDataset(images, torch.randn(64, 1)), batch_size=16)
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)  # seen: `NaN at batch 2, first in sample 5`
    loss.backward()
    optimizer.step()
```

Bad (steps that are too large):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=5.0)
x, y = torch.randn(64, 8), torch.randn(64, 1)
for step in range(30):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
```

Bad (all labels are ignored):

```python
import torch
from torch import nn

net = nn.Linear(8, 3)
x, y = torch.randn(4, 8), torch.full((4,), -100)
loss = nn.functional.cross_entropy(net(x), y)  # seen: `the loss became NaN: every label`
loss.backward()
```

Bad (weights that were broken before, as in a checkpoint that was saved too late):

```python
import torch
from torch import nn

net = nn.Linear(8, 1)
with torch.no_grad():
    net.weight[0, 3] = float("nan")
x, y = torch.randn(4, 8), torch.randn(4, 1)
loss = nn.functional.mse_loss(net(x), y)  # seen: `the loss became NaN: net.weight was not finite`
loss.backward()
```

Bad (a square root at 0, whose slope is infinite):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
a = torch.randn(16, 8)
b = a.clone()
optimizer.zero_grad()
distance = torch.sqrt((net(a) - net(b)).square().sum(1))  # seen: the distance of equal points
distance.mean().backward()
optimizer.step()
```

Bad (a factor that was normalized over a single value):

```python
import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Linear(4, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
states, gains = torch.randn(9, 4), torch.randn(9)
for x, gain in zip(states.split(4), gains.split(4)):
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)  # seen: `1 of 1 values of gain are not`
    loss = -(critic(x).squeeze(1) * gain).mean() + critic(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Bad (the same, in anomaly mode):

```python
import torch

x = torch.zeros(3, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    (torch.sqrt(x) * 0.0).sum().backward()
```

Message (a check of one's own):

```
RuntimeError: Loss value is NaN
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return nn.functional.logsigmoid(self.fc(x))


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(torch.randn(16, 8)), torch.zeros(16, 3))
    loss.backward()
    optimizer.step()
```

Fine (an attention mask of -inf, an infinite value that is masked before the loss, NaN in what is not trained on):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        scores = self.fc(x) @ x.transpose(1, 2)
        mask = torch.ones(5, 5).triu(1).bool()
        return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ x


net = Net()
x = torch.randn(4, 5, 8)
net(x).square().mean().backward()
counts = torch.tensor([0.0, 2.0, 4.0])
means = torch.where(counts > 0, 1 / counts, 0.0)
(net(x).mean() * means.sum()).backward()
with torch.no_grad():
    measured = torch.tensor(float("nan")) * net(x)
```

Message (torch 1.5 to 2.13, of attention; `all is masked`):

```text
RuntimeError: Function 'SoftmaxBackward0' returned nan values in its 0th output.
```

Message (torch 1.5 to 2.13, of a layer; `what came to it`):

```text
RuntimeError: Function 'AddmmBackward0' returned nan values in its 1th output.
```

Message (torch 2.13; `GradScaler`):

```text
RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`
```

Message (Detectron2; `warm-up`):

```text
FloatingPointError: Predicted boxes or scores contain Inf/NaN. Training has diverged.
```

Message (Detectron2; `warm-up`):

```text
AssertionError: Box regression deltas become infinite or NaN!
```

Message (Stable Diffusion web UI; `float32`):

```text
NansException: A tensor with all NaNs was produced in Unet. This could be either because there's not enough precision to represent the picture, or because your video card does not support half type.
```

Message (YOLO 8.4; `weights`):

```text
WARNING ⚠️ Skipping checkpoint save at epoch 41: EMA and model contain NaN/Inf
```

Message (Lightning 1 and 2; `nan`):

```text
ValueError: The loss returned in `training_step` is nan.
```

Message (TRL before 0.20; `response_template`):

```text
UserWarning: Could not find response key `### Response:` in the following instance: Below is an instruction This instance will be ignored in loss calculation. Note, if this happens often, consider increasing the `max_seq_length`.
```

Message (torch 1.9):

```text
FutureWarning: Non-finite norm encountered in torch.nn.utils.clip_grad_norm_; continuing anyway. Note that the default behavior will change in a future release to error out if a non-finite total norm is encountered. At that point, setting error_if_nonfinite=false will be required to retain the old behavior.
```

Message (DETR and what came from it, of SciPy; `boxes are matched`):

```text
  File "/work/detr/models/matcher.py", line 82, in forward
    indices = [linear_sum_assignment(c[i]) for i, c in enumerate(C.split(sizes, -1))]
ValueError: matrix contains invalid numeric entries
```

Message (DETR, an assert of its own; `boxes are matched`):

```text
  File "/work/detr/util/box_ops.py", line 51, in generalized_box_iou
    assert (boxes1[:, 2:] >= boxes1[:, :2]).all()
AssertionError
```

Message (transformers, of its DETR; `boxes are matched`):

```text
ValueError: boxes1 must be in [x0, y0, x1, y1] (corner) format, but got tensor([[nan, nan, nan, nan]])
```
"""

from keng.explain.advice.losses import without_slope
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import NotFinite

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"[Ll]oss (?:value )?(?:is|became) (?:NaN|nan|inf)")
def told_of_the_loss(failure: Failure) -> Hits:
    yield failure.hit(
        "the loss is NaN or infinite: a rate too high, float16, a log, root or division of 0, or NaN in the data; torch.autograd.set_detect_anomaly(True) names the operation"
    )


@pitfall.watches("not.finite")
def first_value_that_was_not_finite(seen: NotFinite) -> Hits:
    origin = seen.origin
    batch = f" at batch {seen.batch}" if seen.batch else ""
    inside = f" in `{origin.module}`" if origin.module and origin.cause != "weights" else ""
    sample = f", first in sample {origin.sample} of the batch" if origin.sample is not None else ""
    why = origin.detail or "where it came from is not known"
    yield seen.hit(
        f"{seen.what} became {seen.value}{batch}{inside}{sample}: {why}",
        where=origin.where,
        cause=origin.cause,
        operation=origin.operation,
        module=origin.module,
    )


@pitfall.explains(r"Function '(?P<node>\w+)' returned nan values in its (?P<output>\d+)th output")
def found_by_anomaly_mode(failure: Failure) -> Hits:
    operation = failure.groups["node"].partition("Backward")[0]
    yield failure.hit(without_slope(operation), operation=operation)


@pitfall.explains(
    r"(?P<what>Predicted boxes or scores|Box regression deltas) (?:contain|become infinite or) (?:Inf/)?NaN",
    r"(?P<what>A tensor) with all NaNs was produced in",
    odds=0.9,
)
def told_by_a_detector(failure: Failure) -> Hits:
    what = failure.groups["what"]
    cure = "a lower learning rate and a warm-up, boxes of positive size"
    if what == "A tensor":
        what, cure = "the output", "that part in float32: float16 overflows there"
    yield failure.hit(f"{what} became NaN: {cure}")


@pitfall.explains(
    r"(?P<costs>matrix contains invalid numeric entries)|\bboxes1\[:, 2:\] >= boxes1\[:, :2\]|"
    r"boxes1 must be in \[x0, y0, x1, y1\] \(corner\) format",
    odds=0.9,
)
def told_by_a_matcher(failure: Failure) -> Hits:
    of_a_model = any(failure.shows(word) for word in ("matcher", "detr", "torch"))
    if of_a_model or not failure.groups["costs"]:
        yield failure.hit(
            "what the model predicts is NaN where boxes are matched with targets: a lower rate, clipped gradients, no fp16, and targets that are "
            "shares of the image from 0 to 1"
        )


@pitfall.explains(
    r"(?P<what>EMA(?: and model)? contains?) NaN/Inf|Training failed: NaN persisted|is corrupted with NaN/Inf weights",
    r"loss returned in `training_step` is (?P<lost>nan|inf)",
    odds=0.93,
)
def told_by_a_trainer(failure: Failure) -> Hits:
    what = f"the loss is {lost}" if (lost := failure.groups.get("lost")) else "the weights are NaN"
    yield failure.hit(
        f"{what}, and nothing after that is of use: go back to the last good checkpoint, a lower rate, no fp16"
    )


CLIPPED = "a gradient is NaN or infinite before it is clipped: the loss or a layer has overflowed; under a GradScaler that is usual at first, and with error_if_nonfinite=False its step() leaves such a step out"
pitfall.answers(
    {
        "for gradients from `parameters` is non-finite": CLIPPED,
        "Non-finite norm encountered in torch.nn.utils.clip_grad_norm_": CLIPPED,
        "Could not find response key": "the collator finds no beginning of the answer and masks the whole sample, and a batch of such has the loss NaN: response_template as the tokenizer cuts it within a text, and a max_length that reaches it",
    },
    odds=0.95,
)
