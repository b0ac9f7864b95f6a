r"""`PYTORCH_CUDA_ALLOC_CONF` holds what this PyTorch does not know.

The variable is a list of `name:value`, without spaces, checked at the first use of the card. Names differ by version:
`expandable_segments` came with 2.1 and does nothing under Windows, `roundup_power2_divisions` takes numbers. One letter
too few stops the program.

Cure: write it as the documentation of the installed version does, `expandable_segments:True,max_split_size_mb:128`; unset it
to see whether it is to blame.

Bad:

```python
import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segment:True"
import torch

x = torch.ones(2, device="cuda")
```

Good:

```python
import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
import torch

x = torch.ones(2)
```

Message (torch 1.11 to 2.13; `expandable_segment`):

```text
RuntimeError: Unrecognized CachingAllocator option: expandable_segment
```

Message (torch 2.11; `expandable_segment`):

```text
ValueError: Unrecognized key 'expandable_segment' in CUDA allocator config.
```

Message (torch 1.11 to 2.0; `from 2.1 on`):

```text
RuntimeError: Unrecognized CachingAllocator option: expandable_segments
```

Message (torch 2.1 to 2.13; `does nothing`):

```text
UserWarning: expandable_segments not supported on this platform (Triggered internally at C:\actions-runner\_work\pytorch\pytorch\c10\cuda\CUDAAllocatorConfig.h:28.)
```

Message (torch 1.13 to 2.13, macOS; `LOW_WATERMARK`):

```text
RuntimeError: invalid low watermark ratio 1.4
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"Unrecognized CachingAllocator option: '?(?P<name>[\w. ]{1,60})",
    r"Unrecognized key '(?P<name>[\w. ]{1,60})' in \w{1,20} allocator config",
    odds=0.93,
)
def unknown(failure: Failure) -> Hits:
    name = failure.groups["name"].strip()
    cure = (
        "a PyTorch from 2.1 on, or take it out"
        if name == "expandable_segments"
        else "see how it is spelt, or take it out"
    )
    yield failure.hit(
        f"PYTORCH_CUDA_ALLOC_CONF has `{name}`, which this PyTorch does not know: {cure}"
    )


@pitfall.explains(r"expandable_segments not supported on this platform", odds=0.96)
def not_here(failure: Failure) -> Hits:
    yield failure.hit(
        "expandable_segments does nothing on this platform: take it out, it is harmless"
    )


pitfall.answers(
    {
        "invalid low watermark ratio": "PYTORCH_MPS_HIGH_WATERMARK_RATIO is set below the low mark, which is 1.4 by itself: PYTORCH_MPS_LOW_WATERMARK_RATIO no higher than it, or 0.0 for the high one",
    },
    odds=0.95,
)
