r"""A number does not fit into the dtype.

float16 ends at 65504, uint8 at 255, int64 at about 9.2e18. A mask of `-1e9`, harmless in float32, is
beyond float16 as soon as the model is halved; an identifier or hash may be beyond int64.

Cure: `torch.finfo(x.dtype).min` for masks, or `float("-inf")`; bfloat16, which has the range of float32; for identifiers
a table of small numbers.

Bad (a mask in half precision):

```python
import torch

scores = torch.zeros(2, 3, dtype=torch.float16)
scores = scores.masked_fill(torch.tensor([True, False, False]), -1e9)  # seen: `finfo`
```

Bad (a byte):

```python
import torch

x = torch.tensor(300, dtype=torch.uint8)  # seen: `uint8`
```

Bad (a hash):

```python
import torch

x = torch.tensor(2**70)  # seen: `int64`
```

Bad (drawn beyond the dtype):

```python
import torch

pixels = torch.randint(0, 300, (3,), dtype=torch.uint8)  # seen: `unsigned char`
```

Bad (a complex number):

```python
import torch

x = torch.zeros(3)
x.fill_(1j)  # seen: `z.real`
```

Good:

```python
import torch

scores = torch.zeros(2, 3, dtype=torch.float16)
low = torch.finfo(scores.dtype).min
scores = scores.masked_fill(torch.tensor([True, False, False]), low)
x = torch.tensor(300, dtype=torch.int64)
```

Message (torch 1.0 to 2.0; `Half`):

```text
RuntimeError: value cannot be converted to type at::Half without overflow: -1e+09
```

Message (torch 2.13, a mask in whole numbers; `x.float() first`):

```text
RuntimeError: value cannot be converted to type int64_t without overflow
```

Message (torch 2.13; `beyond 3.4e38`):

```text
RuntimeError: value cannot be converted to type float without overflow
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

COMPLEX = re.compile(r"\b\d+j\b")


@pitfall.explains(
    r"value cannot be converted to type (?:at::|c10::)?(?P<kind>\w+) without overflow", odds=0.96
)
def beyond(failure: Failure) -> Hits:
    kind, there = failure.groups["kind"], failure.live.operands
    if any(each.dtype.startswith("complex") for each in there) or COMPLEX.search(failure.line):
        yield failure.hit(f"a complex number is to become {kind}: z.real, or z.abs()")
        return
    cure = "-inf, NaN or a number below or beyond it: x.float() first, or clamp it"
    if kind == "Half":
        cure = "torch.finfo(x.dtype).min for masks, or bfloat16"
    elif kind in ("float", "BFloat16"):
        cure = "it is beyond 3.4e38: torch.finfo(x.dtype).min for masks, or float64"
    yield failure.hit(f"a number does not fit into {kind}: {cure}")


@pitfall.explains(r"Overflow when unpacking long", odds=0.95)
def beyond_64_bits(failure: Failure) -> Hits:
    yield failure.hit(
        "a whole number does not fit into int64, as hashes and seeds of 64 bits without a sign: n % 2**63"
    )


@pitfall.explains(
    r"\b(?P<end>from|to)(?: - 1)? is out of bounds for (?P<dtype>[\w ]{3,30})", odds=0.96
)
def beyond_a_range(failure: Failure) -> Hits:
    end, dtype = failure.groups["end"], failure.groups["dtype"]
    yield failure.hit(
        f"random numbers are drawn up to what {dtype} cannot hold: another dtype=, or a smaller `{end}`"
    )
