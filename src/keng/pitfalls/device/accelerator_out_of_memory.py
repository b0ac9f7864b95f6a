r"""The memory of an accelerator that is no NVIDIA card is full.

Metal on a Mac gives one buffer a part of the memory at most, and says "Invalid buffer size" of more. The driver of an
Intel card tells of resources, XLA on a TPU of a buffer that is not possible. None of them says what the tensors hold.

Cure: fewer or shorter samples at a time, attention by `scaled_dot_product_attention` instead of a matrix of scores,
bfloat16, `torch.no_grad()` where nothing learns.

Bad:

```python
import torch

scores = torch.empty(70_000, 70_000, device="mps")  # seen: `18.25 GiB`
```

Good:

```python
import torch

scores = torch.empty(700, 700)
```

Message (torch 2.0 to 2.13, on a Mac; `9.19 GiB`):

```text
RuntimeError: Invalid buffer size: 9.19 GiB
```

Message (torch 2.7, an Intel card; `Intel`):

```text
RuntimeError: UR backend failed. UR backend returns:40 (UR_RESULT_ERROR_OUT_OF_RESOURCES)
```

Message (torch 2.0 to 2.4, an Intel card):

```text
RuntimeError: Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES) -5 (PI_ERROR_OUT_OF_RESOURCES)
```

Message (torch_xla, a TPU v5e; `112.00M`):

```text
RuntimeError: Bad StatusOr access: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 112.00M. That was not possible. There are 97.06M free.; (1x0x0_HBM0)
```
"""

from keng.explain.failure import Failure, amount
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a Mac, an Intel card or a TPU")


@pitfall.explains(r"(?:^|Error: )Invalid buffer size: (?P<wanted>[\d.]+ \w+)", odds=0.9)
def larger_than_metal_takes(failure: Failure) -> Hits:
    wanted = amount(failure.gib("wanted"))
    yield failure.hit(
        f"{wanted} in one tensor are more than Metal gives, mostly scores of attention over a long input: fewer or shorter "
        "samples at a time"
    )


@pitfall.explains(
    r"(?:PI|UR_RESULT)_ERROR_OUT_OF_(?:RESOURCES|DEVICE_MEMORY)",
    r"RESOURCE_EXHAUSTED: .{0,60}?Attempting to allocate (?P<wanted>[\d.]+[KMG])\. That was not possible",
    odds=0.85,
)
def card_is_full(failure: Failure) -> Hits:
    wanted = failure.groups.get("wanted", "")
    what = f"{wanted} more do not fit into the TPU's memory" if wanted else "the Intel card is full"
    yield failure.hit(f"{what}: a smaller batch, bfloat16, or checkpointing of activations")
