r"""A pattern of einops names other axes than the tensor has.

`rearrange(x, "b c h w -> b (h w) c")` says how many dimensions `x` has, and names each. A batch that is missing, an image that is gray, or sequences of
three dimensions where images were meant have another number. Axes in parentheses are cut into parts, and the size must be a multiple of the parts that are
given: patches of 16 do not fill an image of 250.

Cure: print `x.shape` before the line; `x.unsqueeze(0)` for the batch; resize or pad the image to a multiple of the patch; `...` for dimensions that
do not matter.

Bad:

```python
import torch
from einops import rearrange

x = torch.ones(3, 250, 250)
patches = rearrange(x, "c (h p) (w q) -> (h w) (p q c)", p=16, q=16)
```

Good:

```python
import torch
import torch.nn.functional as F
from einops import rearrange

x = F.pad(torch.ones(3, 250, 250), (0, 6, 0, 6))
patches = rearrange(x, "c (h p) (w q) -> (h w) (p q c)", p=16, q=16)
```

Message (einops 0.3 to 0.8; `a multiple of 16`):

```text
einops.EinopsError:  Error while processing rearrange-reduction pattern "b c (h p1) (w p2) -> b (h w) (p1 p2 c)".
 Input tensor shape: torch.Size([1, 3, 250, 250]). Additional info: {'p1': 16, 'p2': 16}.
 Shape mismatch, can't divide axis of length 250 in chunks of 16
```

Message (einops 0.7; `3 dimensions`):

```text
einops.EinopsError:  Error while processing rearrange-reduction pattern "b c h w -> b (h w) c".
 Input tensor shape: torch.Size([2, 256, 512]). Additional info: {}.
 Wrong shape: expected 4 dims. Received 3-dim tensor.
```

Message (einops 0.6; `900 and not 676`):

```text
einops.EinopsError:  Error while processing rearrange-reduction pattern "b (h w) c -> b c h w".
 Input tensor shape: torch.Size([1, 676, 64]). Additional info: {'h': 30, 'w': 30}.
 Shape mismatch, 900 != 676
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import einops")

BEGINS = r"Input (?:tensor )?shape: torch\.Size\((?P<shape>\[[\d, ]{1,60}\])\)\. Additional info: \{[^{}]{0,200}\}\.\s{1,3}"


@pitfall.explains(
    BEGINS
    + r"Shape mismatch, can't divide axis of length (?P<size>\d+) in chunks of (?P<part>\d+)",
    odds=0.96,
)
def no_multiple(failure: Failure) -> Hits:
    shape, size, part = (failure.groups[key] for key in ("shape", "size", "part"))
    yield failure.hit(
        f"an axis of {size} in a tensor of shape {shape} is to be cut into parts of {part}: resize or pad it to a multiple of {part}"
    )


@pitfall.explains(
    BEGINS
    + r"Wrong shape: expected (?:>=)?(?P<wants>\d+) dims\. Received (?P<came>\d+)-dim tensor",
    odds=0.96,
)
def another_number(failure: Failure) -> Hits:
    shape, wants, came = (failure.groups[key] for key in ("shape", "wants", "came"))
    yield failure.hit(
        f"the pattern names {wants} dimensions, and the tensor has {came} dimensions, {shape}: a batch or channel axis is missing, or it is another tensor"
    )


@pitfall.explains(BEGINS + r"Shape mismatch, (?P<said>\d+) != (?P<size>\d+)", odds=0.96)
def other_parts(failure: Failure) -> Hits:
    shape, said, size = (failure.groups[key] for key in ("shape", "said", "size"))
    yield failure.hit(
        f"the sizes that are given make {said} and not {size}, as an axis of shape {shape} has: leave one out, which is computed"
    )
