r"""The loss hangs on nothing that learns.

`backward` goes back through what autograd has recorded. Nothing was recorded where gradients are off,
where all that enters is frozen, or where an operation on the way ends the graph: `argmax`, a
comparison, a conversion to whole numbers, `.item()`, `.detach()`, NumPy, a tensor made anew from values.

Cure: record the forward pass; leave `requires_grad` on for what is to learn; use a loss that can be
differentiated (cross-entropy instead of counting hits).

Bad (an operation without a slope):

```python
import torch
from torch import nn

model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
prediction = model(x).argmax(dim=1)
loss = (prediction != y).float().mean()
loss.backward()  # here: argmax ends the graph
```

Bad (gradients are off):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
with torch.no_grad():
    loss = model(torch.randn(16, 8)).square().mean()
loss.backward()  # here: nothing was recorded
```

Bad (all frozen):

```python
import torch
from torch import nn

model = nn.Linear(8, 1).requires_grad_(False)
loss = model(torch.randn(16, 8)).square().mean()
loss.backward()  # seen: no parameter requires a gradient
```

Bad (a loss made anew of its value):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
loss = model(torch.randn(16, 8)).square().mean()
loss = torch.tensor(loss.item(), requires_grad=True)
loss.backward()  # here: the model is not behind it any more
```

Proof:

```python
assert model.weight.grad is None
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
output = model(x)
loss = F.cross_entropy(output, y)
loss.backward()
errors = (output.argmax(dim=1) != y).float().mean()
```

Fine (an input that learns; a goal without gradients; a loss that is made for an example):

```python
import torch
from torch import nn

model = nn.Linear(4, 2).requires_grad_(False)
x, goal = torch.randn(3, 4), torch.randn(3, 4)
x.requires_grad_(True)
loss = (x - goal.detach()).square().sum()
loss.backward()
w = torch.tensor(2.0, requires_grad=True)
y = w * goal.argmax()
y.backward()
with torch.no_grad():
    wanted = model(goal)
x = goal.clone()
x.requires_grad = True
error = (model(x) - wanted).square().mean()
error.backward()
```

Message (torch 1.0 to 2.13, with the code that freezes; `all parameters of model are frozen`):

```text
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

    net.load_state_dict(state, strict=False)
    for param in model.parameters():
        param.requires_grad = False
```

Message (torch 1.0 to 2.13, where only the backbone is frozen; `gradients are off`):

```text
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

for p in model.parameters():
    p.requires_grad = False
model.fc = nn.Linear(512, 10)
```

Message (torch 1.0 to 2.13, of an adapter; `is_trainable=True`):

```text
I fine-tune a LoRA of an 8-bit model, and trainer.train() raises
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
```

Message (torch 1.0 to 2.13, under checkpointing; `enable_input_require_grads()`):

```text
When I fine-tune the LoRA layers with use_checkpoint=True I get
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
```

Message (torch 1.0 to 2.13, of an image that is attacked; `x.requires_grad_()`):

```text
  File "/code/fgsm.py", line 12, in attack
    grad = torch.autograd.grad(loss, image)[0]
  File "/env/lib/python3.10/site-packages/torch/autograd/__init__.py", line 436, in grad
    result = _engine_run_backward(
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
```

Message (torch 1.0 to 2.13, of a first example; `requires_grad=True`):

```text
Cell In[5], line 9
      6 print("y:", y)
      8 # dy/dx
----> 9 y.backward()

RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
```

Message (torch 0.3):

```text
RuntimeError: element 0 of variables does not require grad and does not have a grad_fn
```

Message (an older torch):

```text
RuntimeError: there are no graph nodes that require computing gradients
```

Message (torch 0.1 to 0.3):

```text
RuntimeError: element 0 of variables tuple is volatile
```

Message (torch 0.2):

```text
RuntimeError: element 0 of variables tuple does not require grad
```
"""

from textwrap import shorten

from keng.explain.advice.passes import CAUSES, hangs_on_nothing
from keng.explain.advice.shown import frozen_whole
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def backward_on_nothing(code: Code) -> Hits:
    for call, loss, end in code.unlearned_losses():
        line, text = code.position(end)[0], shorten(code.text_of(end), 60, placeholder=" ...")
        off = code.grad_at(end) is Grad.OFF
        ended = f"`{text}` on line {line} ends its graph"
        why = f"`{text}` is computed on line {line}, where gradients are off" if off else ended
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield code.hit(call, says)


@pitfall.explains(
    r"element \d+ of (?:tensors|variables) does not require grad and does not have a grad_fn",
    r"there are no graph nodes that require computing gradients|element \d+ of variables tuple (?:is volatile|does not require grad)",
    odds=0.6,
)
def nothing_to_go_back_through(failure: Failure) -> Hits:
    live = failure.live.unlearned
    if live is not None and live.frozen and not live.off:
        names = " and ".join(f"all {n} parameters of `{name}`" for name, n in live.frozen.items())
        frozen = failure.code.frozen_at() if failure.code is not None else []
        by = f", turned off on line {frozen[0].lineno}" if len(frozen) == 1 else ""
        yield failure.hit(f"nothing learns: {names} have requires_grad=False{by}; leave some on")
        return
    if (before := failure.mended("differentiated_before")) is not None:
        text, call, fix = before
        says = f"`{text}` is a gradient, made on line {call.lineno} without a graph of its own"
        yield failure.hit(f"{says}: create_graph=True there", fix)
        return
    if frozen := frozen_whole(failure):
        yield failure.hit(
            f"nothing learns: all parameters of `{frozen}` are frozen in the loop over them; leave some on, or set the new layers after it"
        )
        return
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = code.lost_on(line) if code is not None else []
    if not losses:
        yield failure.hit(hangs_on_nothing(failure))
        return
    loss = losses[0]
    ends = code.graph_ends(loss)
    off, silenced = code.unrecorded(loss), code.silenced(loss)
    if off is None and silenced is not None:
        told, decorator = silenced
        why = f"`{told.name}`, which it is computed by, records none: `@{told.code.text_of(decorator)}`"
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield failure.hit(says, where=told.code.span(decorator))
        return
    if off is not None:
        why = f"`{code.text_of(off)}` is computed on line {off.lineno}, where gradients are off"
    elif ends:
        why = f"`{code.text_of(ends[0])}` on line {ends[0].lineno} ends its graph"
    else:
        why = f"{CAUSES} its graph"
    yield failure.hit(f"`{loss.id}` hangs on nothing that learns: {why}")
