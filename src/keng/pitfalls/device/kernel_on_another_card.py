r"""A kernel is started on another card than its tensors, or with a tensor of the CPU.

PyTorch's own operations look for the card of their arguments. A kernel of Triton's is started on the current card, the
first one where nothing was said, and refuses a pointer that this card cannot reach: of the CPU, or of another card. With
`device_map="auto"` or a model on `cuda:1` that is met in a layer of its own kernels, norms or attention most often. What
is compiled of C++ and CUDA beside PyTorch (point clouds, deformable attention, ray marching, rasterizers, Mamba) is
written for cards alone in most cases, and says so in words of its own.

Cure: `torch.cuda.set_device(rank)` first of all; `with torch.cuda.device(x.device):` around the call; inputs moved
to the card of the layer, `points.cuda()` before an extension; without a card, what does the same in plain PyTorch.

Bad:

```python
import torch
import triton
import triton.language as tl


@triton.jit
def doubled(x, out, n: tl.constexpr):
    at = tl.arange(0, n)
    tl.store(out + at, tl.load(x + at) * 2)


x = torch.ones(16)
doubled[(1,)](x, torch.empty(16, device="cuda"), 16)
```

Good:

```python
import torch

x = torch.ones(16)
out = x * 2
```

Message (Triton 2 and 3; `set_device`):

```text
ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)
```

Message (an extension, as PyTorch's tutorial checks; `rays_o.cuda()`):

```text
RuntimeError: rays_o must be a CUDA tensor
```

Message (OpenPCDet, which ends the process; `points.cuda()`):

```text
points must be CUDA tensor at /work/pcdet/ops/pointnet2/src/ball_query.cpp:12
```

Message (StyleGAN2-ADA and 3; `x.cuda()`):

```text
RuntimeError: x must reside on CUDA device
```

Message (flash-attn; `q.cuda()`):

```text
RuntimeError: q must be on CUDA
```

Message (Mamba and causal-conv1d; `u.cuda()`):

```text
RuntimeError: Expected u.is_cuda() to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)
```

Message (an extension that names no argument; `a tensor lies`):

```text
RuntimeError: Input must be a CUDA tensor
```

Message (nvdiffrast; `pos, tri`):

```text
RuntimeError: rasterize_fwd_cuda(): Inputs pos, tri must reside on the same GPU device
```

Message (torch-scatter and its like, the other way round; `index.cpu()`):

```text
RuntimeError: index must be CPU tensor
```

Message (Deformable DETR; `no form for the CPU`):

```text
RuntimeError: Not implemented on the CPU
```

Message (Deformable DETR, of other releases; `no form for the CPU`):

```text
RuntimeError: Not implement on cpu
```

Message (PointNet++; `no form for the CPU`):

```text
RuntimeError: CPU not supported
```

Message (mmcv; `ms_deform_attn_impl_forward`):

```text
RuntimeError: ms_deform_attn_impl_forward: implementation for device cpu not found.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"Pointer argument (?:\(at (?P<argument>\d+)\) )?cannot be accessed from Triton \(cpu tensor\?\)",
    odds=0.93,
)
def pointer_out_of_reach(failure: Failure) -> Hits:
    number = failure.groups["argument"]
    which = f"argument {number} of" if number else "an argument of"
    yield failure.hit(
        f"{which} the Triton kernel lies on the CPU, or on another card than the current one: torch.cuda.set_device, or "
        "`with torch.cuda.device(x.device):`"
    )


@pitfall.explains(
    r"(?:^|Error: )(?P<what>[A-Za-z_][\w.]{0,40}) must be (?:an? )?CUDA tensor(?!,? but isn't)",
    r"(?:^|Error: )(?P<what>[A-Za-z_][\w.]{0,40}) must be (?:an? )?(?P<device>CPU) tensor\b",
    r"(?:^|Error: )(?P<what>[A-Za-z_][\w.]{0,40}) must (?:be|reside) on CUDA\b",
    r"(?:^|Error: )Expected (?P<what>[A-Za-z_][\w.]{0,40}?)\.(?:device\(\)\.)?is_cuda\(\) to be true, but got false",
    odds=0.94,
)
def checked_by_an_extension(failure: Failure) -> Hits:
    what, to_the_cpu = failure.groups["what"], failure.groups.get("device") == "CPU"
    here, there, move = ("card", "the CPU", "cpu") if to_the_cpu else ("CPU", "a card", "cuda")
    name = "" if what[0].isupper() else what
    yield failure.hit(
        f"{f'`{name}`' if name else 'a tensor'} lies on the {here}, and what is compiled here takes it on {there} alone: "
        f"{name}.{move}(), with all that it is given"
    )


@pitfall.explains(
    r"\bInputs (?P<what>\w[\w, ]{0,80}) must reside on the same GPU device", odds=0.94
)
def not_all_on_one_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"one of {failure.groups['what']} lies on the CPU, or on another card than the rest: .cuda() of each"
    )


@pitfall.explains(
    r"(?:^|Error: )(?:Not implement(?:ed)? on (?:the )?(?:cpu|CPU)|CPU not supported)\b",
    r"\b(?P<name>\w{2,60}): implementation for device cpu not found",
    odds=0.93,
)
def compiled_for_cards_alone(failure: Failure) -> Hits:
    what = f"`{name}`" if (name := failure.groups.get("name")) else "the operator"
    if failure.kind == "RuntimeError" or name:  # C++ raises no other
        yield failure.hit(
            f"{what} has no form for the CPU, where its tensors lie: model and inputs .cuda(), or what does the same in plain PyTorch"
        )
