r"""A derivative is asked for that PyTorch does not have.

Most operations know their derivative, and many the derivative of that; some fused kernels do not: the fast kernels of attention,
cuDNN's recurrent layers, `grid_sample` in some modes, and functions that count or round. A gradient penalty, meta-learning
or a Hessian asks for the second one.

Cure: another kernel for that part: `sdpa_kernel(SDPBackend.MATH)` around attention, `torch.backends.cudnn.flags(enabled=False)`
around recurrent layers; `detach()` what need not learn.

Bad (the fast kernel of attention):

```python
import torch
import torch.nn.functional as F

q = torch.randn(1, 2, 4, 8, requires_grad=True)
score = F.scaled_dot_product_attention(q, q, q).sum()
(grad,) = torch.autograd.grad(score, q, create_graph=True)
grad.square().sum().backward()  # seen: `MATH`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.randn(1, 2, 4, 8, requires_grad=True)
with sdpa_kernel(SDPBackend.MATH):
    score = F.scaled_dot_product_attention(q, q, q).sum()
(grad,) = torch.autograd.grad(score, q, create_graph=True)
grad.square().sum().backward()
```

Message (torch 1.0 to 2.13, of an operation without any; `histc`):

```text
RuntimeError: the derivative for 'histc' is not implemented
```

Message (torch 1.0 to 2.13, of cuDNN's; `cudnn`):

```text
NotImplementedError: Double backwards is not supported for CuDNN RNNs due to limitations in the CuDNN API. To run double backwards, please disable the CuDNN backend temporarily while running the forward pass of your RNN.
```

Message (torch 0.2; `before torch 0.4`):

```text
RuntimeError: Scatter is not differentiable twice
```

Message (torch 0.4 to 2.13; `once_differentiable`):

```text
RuntimeError: trying to differentiate twice a function that was marked with @once_differentiable
```

Message (torch 2.0 to 2.13; `uncompiled`):

```text
RuntimeError: torch.compile with aot_autograd does not currently support double backward
```

Message (torch 0.2; `ConvNdBackwardBackward`):

```text
RuntimeError: Second argument of ConvNdBackwardBackward is not zero.This is not supported at the moment
```

Message (torch 1.11 to 2.13, of StyleGAN2-ADA's augmentation; `torch<1.11`):

```text
  File "/work/stylegan2-ada-pytorch/training/loss.py", line 131, in accumulate_gradients
    (real_logits * 0 + loss_Dreal + loss_Dr1).mean().mul(gain).backward()
RuntimeError: derivative for aten::grid_sampler_2d_backward is not implemented
```

Message (torch 1.10 and later, of StyleGAN2-ADA; `1.10.0, and PyTorch's`):

```text
UserWarning: grid_sample_gradfix not supported on PyTorch 1.10.0. Falling back to torch.nn.functional.grid_sample().
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"derivative for '?(?:aten::)?(?P<op>(?!target'|weight'|pos_weight')\w{3,80})'? is not implemented",
    odds=0.9,
)
def has_none(failure: Failure) -> Hits:
    op = failure.groups["op"]
    cure = "detach what need not learn, or other operations"
    if "attention" in op:
        cure = "sdpa_kernel(SDPBackend.MATH) around it has one"
    elif "grid_sampler" in op:
        cure = f"{cure}; in StyleGAN's code torch<1.11, or the grid_sample_gradfix.py of StyleGAN3, which knows later ones"
    yield failure.hit(f"`{op}` has no derivative of its own: {cure}")


@pitfall.explains(r"Double backwards is not supported for CuDNN RNNs", odds=0.97)
def not_in_cudnn(failure: Failure) -> Hits:
    yield failure.hit(
        "recurrent layers of cuDNN have no second derivative: torch.backends.cudnn.flags(enabled=False) around forward"
    )


@pitfall.explains(
    r"(?P<op>\w{2,60}) is not differentiable twice",
    r"[Ss]econd argument of (?P<op>\w{2,60}) is not zero",
    r"trying to differentiate twice a function that was marked with @(?P<op>once_differentiable)",
    odds=0.95,
)
def only_once(failure: Failure) -> Hits:
    old = "; before torch 0.4 few have one" if "differentiable twice" in failure.message else ""
    yield failure.hit(
        f"`{failure.groups['op']}` has no second derivative: its backward is not made of operations of torch{old}"
    )


@pitfall.explains(
    r"torch\.compile with aot_autograd does not currently support double backward", odds=0.97
)
def not_when_compiled(failure: Failure) -> Hits:
    yield failure.hit(
        "what torch.compile makes has no second derivative: leave this part uncompiled, or backend='eager'"
    )


@pitfall.explains(
    r"grid_sample_gradfix not supported on PyTorch (?P<torch>\d[\w.+]{0,30})", odds=0.93
)
def none_in_its_place(failure: Failure) -> Hits:
    yield failure.hit(
        f"StyleGAN's own grid_sample is not for torch {failure.groups['torch'].rstrip('.')}, and PyTorch's has no second derivative, which "
        "augmented training wants: the grid_sample_gradfix.py of StyleGAN3 knows later ones"
    )
