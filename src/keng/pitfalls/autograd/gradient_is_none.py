r"""A gradient is read where there is none.

`.grad` is None until a `backward()` has reached the tensor. It stays None for a tensor that does not require gradients, one that the loss
does not depend on, and a result, whose gradient is not kept. `zero_grad()` makes it None again, since PyTorch 2.0 by default.
`w = w - lr * w.grad` makes `w` a result, whose gradient the next step lacks.

Cure: `backward()` before the line; `if p.grad is not None:` in a loop over parameters, some of which may not be used; under
`torch.no_grad()` `w -= lr * w.grad`, which changes `w` itself; `y.retain_grad()` for a result. What a hook is to fill needs a hooked layer that the forward runs, and parameters that require gradients; the gradient
of a layer's input is there for an input that requires one, which an image does not: `image.requires_grad_()`.

Bad (before there is any):

```python
import torch

w = torch.randn(3, requires_grad=True)
w.grad.data.zero_()  # seen: `before the first backward`
```

Bad (a parameter that the loss leaves out):

```python
from torch import nn

heads = nn.ModuleList([nn.Linear(2, 1), nn.Linear(2, 1)])
heads[0].weight.sum().backward()
norms = [p.grad.norm() for p in heads.parameters()]  # seen: `the loss does not reach it`
```

Bad (a step that makes another tensor):

```python
import torch

w = torch.randn(3)
w = w - 0.1 * w.grad  # seen: `which makes a result`
```

Bad (a hook on a layer that nothing is learnt through):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).requires_grad_(False)
gradients = None


def keep(layer, inputs, outputs):
    global gradients
    gradients = outputs[0]


net[0].register_full_backward_hook(keep)
y = net(torch.ones(1, 2))
importance = gradients.mean()  # seen: `gradients`
```

Bad (the gradient of an image, in a hook):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())


def keep(layer, grad_in, grad_out):
    net.saliency = grad_in[0].abs()  # seen: `grad_in[0]` is None


net[0].register_full_backward_hook(keep)
net(torch.ones(1, 3, 8, 8)).sum().backward()
```

Bad (the same, clamped as for guided backpropagation):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.ReLU())


def guided(layer, grad_in, grad_out):
    return (torch.clamp(grad_in[0], min=0.0),)  # seen: `grad_in[0]` is None


net[0].register_full_backward_hook(guided)
net(torch.ones(1, 1, 2, 2)).sum().backward()
```

Good:

```python
import torch

w = torch.randn(3, requires_grad=True)
for step in range(2):
    w.square().sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad.zero_()
```

Message (torch 0.1 to 2.13, without its line; `backward`):

```text
AttributeError: 'NoneType' object has no attribute 'zero_'
```

Message (torch 0.1 to 2.13, of an image that was attacked; `self.image.requires_grad_()`):

```text
  File "fgsm.py", line 34, in attack
    sign = torch.sign(self.image.grad.data)
AttributeError: 'NoneType' object has no attribute 'data'
```

Message (torch 1.3 to 2.13, in a hook of a package; `grad_in[0]`):

```text
  File "visualizations.py", line 89, in test
    backprop.visualize(image, target_class, guided=True)
  File "/env/lib/python3.6/site-packages/flashtorch/saliency/backprop.py", line 214, in _record_gradients
    if self.gradients.shape == grad_in[0].shape:
AttributeError: 'NoneType' object has no attribute 'shape'
```

Message (torch 2.13, what a hook gives on; `grad_input[0]`):

```text
  File "guided.py", line 22, in positive
    return (torch.relu(grad_input[0]),)
TypeError: relu(): argument 'input' (position 1) must be Tensor, not NoneType
```

Message (torch 2.13, in a hook; `what the layer gives`):

```text
  File "cam.py", line 31, in save_gradient
    gradients.append(grad_output[0].cpu())
AttributeError: 'NoneType' object has no attribute 'cpu'
```

Message (torch 0.4 to 2.13, of a class activation map; `has too few`):

```text
  File "/env/lib/python3.8/site-packages/pytorch_grad_cam/base_cam.py", line 59, in forward
    return self.compute_cam_per_layer(input_tensor, targets, eigen_smooth)
  File "/env/lib/python3.8/site-packages/pytorch_grad_cam/base_cam.py", line 74, in compute_cam_per_layer
    grads = grads_list[i]
IndexError: list index out of range
```

Message (torch 0.1 to 2.13, an item of it; `x.grad`):

```text
  File "saliency.py", line 12, in <module>
    first = x.grad[0]
TypeError: 'NoneType' object is not subscriptable
```
"""

import re

from keng.explain.advice.passes import without_gradient
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

READ = re.compile(r"(?P<of>(?:\w+\.){0,6}\w+(?:\[[^\]\n]{0,40}\])?)\.grad\b(?! ?(?:=[^=]|is\b))")
HANDED = re.compile(r"\b(?P<of>grad_?(?P<side>in|out)\w{0,6}\[\d\])(?! (?:is|==|!=))")
HOOKED = re.compile(
    r"(?P<of>(?:\w+\.){0,4}(?:gradients?|grads|activations?|feature_maps?))(?=\.(?!grad)|\[)"
)


FILLED = re.compile(
    r"(?P<of>(?:\w+\.){0,4}(?:get_)?(?:gradients?|grads(?:_list)?|activations?|features?_blobs?)(?:\(\))?)\["
)
MAPS = re.compile(r"hook|cam\b|_cam|cam_|saliency|backprop", re.IGNORECASE)


@pitfall.explains(r"(?:^|: )list index out of range$", odds=0.85)
def none_was_kept(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    filled = FILLED.search(last.text) if last is not None else None
    if filled is not None and any(MAPS.search(f"{f.path} {f.text}") for f in failure.frames):
        yield failure.hit(
            f"`{filled['of']}`, which hooks are to fill, has too few: the layer was not run, or no gradient went through it, as where all is frozen"
        )


@pitfall.explains(
    r"'NoneType' object has no attribute '(?P<name>[a-z]\w*)'",
    r"(?P<name>)'NoneType' object is not subscriptable",
    r"(?P<name>)unsupported operand type\(s\) for .{1,20}: (?:'\w+' and 'NoneType'|'NoneType' and '\w+')",
    r"\(\): argument '\w+' \(position 1\) must be Tensor, not (?P<given>NoneType)",
    r"invalid combination of arguments - got \((?P<given>NoneType)",
    odds=0.95,
)
def read_before_it_is_there(failure: Failure) -> Hits:
    line = failure.line or failure.around
    last = failure.frames[-1].text if failure.frames else ""
    if handed := HANDED.search(last):
        taken = "what the layer takes requires no gradient, as an image: image.requires_grad_() before the forward"
        given = "no gradient came to what the layer gives: the loss does not depend on it"
        why = taken if handed["side"] == "in" else given
        yield failure.hit(f"`{handed['of']}` of the hook is None: {why}")
    elif failure.groups.get("given"):
        return
    elif read := READ.findall(line):
        yield failure.hit(without_gradient(read[-1], line))
    elif hooked := HOOKED.search(failure.line):
        yield failure.hit(
            f"`{hooked['of']}`, which a hook is to fill, is None: the layer was not run, or no gradient went through it"
        )
    elif failure.groups["name"] == "zero_":
        yield failure.hit("there is no gradient yet: .grad is None before the first backward")
