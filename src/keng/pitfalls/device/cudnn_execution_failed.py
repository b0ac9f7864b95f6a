r"""A kernel of cuDNN has failed.

cuDNN tells no more than that. An earlier kernel may have failed and be told of here, memory may be too
short for its workspace, or this cuDNN may not know the card: an old PyTorch on a newer GPU.

Cure: run with `CUDA_LAUNCH_BLOCKING=1` to see whether an earlier line is at fault, then once with
`torch.backends.cudnn.enabled = False`: if that runs, cuDNN's build or the memory is to blame, and a
PyTorch for the card or a smaller batch helps.

Bad (an index out of range in a kernel before the convolution):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 8, 3).cuda()
images = torch.ones(4, 3, 8, 8, device="cuda")
picked = images[torch.tensor([9], device="cuda")]
y = conv(picked)
print(y)
```

Good:

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
conv = nn.Conv2d(3, 8, 3).to(device)
images = torch.ones(4, 3, 8, 8, device=device)
y = conv(images[torch.tensor([3], device=device)])
```

Message (torch 0.4 to 2.13):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED
```

Message (torch 1.13, the same by another name):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: GET was unable to find an engine to execute this computation
```

Message (torch 1.0 to 2.13; `refuses`):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_NOT_SUPPORTED. This error may appear if you passed in a non-contiguous input.
```

Message (torch 1.0 to 1.13; `refuses`):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM
```

Message (torch 1.2 to 1.5):

```text
RuntimeError: Unable to find a valid cuDNN algorithm to run convolution
```

Message (torch 2.5; `enable_cudnn_sdp`):

```text
RuntimeError: cuDNN Frontend error: [cudnn_frontend] Error: No execution plans support the graph.
```

Message (torch 0.3 to 1.4; `no algorithm`):

```text
RuntimeError: no valid convolution algorithms available in CuDNN
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"CUDNN_STATUS_(?:EXECUTION_FAILED|MAPPING_ERROR|INTERNAL_ERROR)|miopenStatus(?:UnknownError|InternalError)",
    odds=0.8,
)
def kernel_failed(failure: Failure) -> Hits:
    backward = any(frame.function == "backward" for frame in failure.frames)
    when = "in backward" if backward else f"in {failure.layer}" if failure.called else "here"
    yield failure.hit(
        f"cuDNN failed {when}: an earlier kernel's error (CUDA_LAUNCH_BLOCKING=1 tells), too little memory, a build that does not "
        "know the card, or sizes that cudnn.enabled = False goes around"
    )


@pitfall.explains(
    r"nable to find (?:an engine to execute this computation|a valid cuDNN algorithm)|no valid convolution algorithms available in CuDNN",
    odds=0.8,
)
def no_algorithm_left(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuDNN has no algorithm for {failure.layer}: too little memory for its workspace, so a smaller batch; else a dtype that the "
        "card lacks, or another cuDNN in LD_LIBRARY_PATH"
    )


@pitfall.explains(r"CUDNN_STATUS_(?P<what>NOT_SUPPORTED|BAD_PARAM|ARCH_MISMATCH)", odds=0.8)
def input_refused(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuDNN refuses what {failure.layer} gives it: x.contiguous(), tensors of fewer than 2**31 elements, one dtype and "
        "device, a build that knows the card"
    )


@pitfall.explains(
    r"\[cudnn_frontend\] Error: (?P<what>No (?:valid )?(?:execution plans|engine configs)[\w ]{0,40})",
    odds=0.85,
)
def no_plan(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuDNN has no kernel for this on the card ({failure.groups['what'].strip().lower()}): for attention "
        "torch.backends.cuda.enable_cudnn_sdp(False), else another dtype or shape"
    )
