r"""A mask for attention is of a dtype that it does not take.

A mask of `bool` marks places; a mask of floats is added to the scores, and has the dtype of the query. Whole
numbers are neither, as 0 and 1 of a tokenizer's `attention_mask`, or a mask that was made with
`dtype=torch.long`. The two functions read bools the other way round: in
`scaled_dot_product_attention` True is where attention may look, in `nn.MultiheadAttention` and the layers
built on it where it may not.

Cure: `mask.bool()` for `scaled_dot_product_attention`, `mask == 0` for `nn.MultiheadAttention`, where 1 marks
what counts; `mask.to(query.dtype)` for what is added. The masks of one layer are all bools or all floats.

Bad (0 and 1 for places):

```python
import torch
from torch.nn import functional as F

q, counts = torch.ones(2, 1, 3, 4), torch.tensor([[1, 1, 0], [1, 0, 0]])
mask = counts[:, None, None]
out = F.scaled_dot_product_attention(q, q, q, attn_mask=mask)  # seen: `mask.bool()`
```

Bad (another precision):

```python
import torch
from torch.nn import functional as F

q, bias = torch.ones(2, 3, 4), torch.zeros(3, 3, dtype=torch.float64)
out = F.scaled_dot_product_attention(q, q, q, attn_mask=bias)  # seen: `mask.to(query.dtype)`
```

Bad (of a layer):

```python
import torch
from torch import nn

attention, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.ones(2, 3, 4)
counts = torch.tensor([[1, 1, 0], [1, 0, 0]])
out, _ = attention(x, x, x, key_padding_mask=counts)  # seen: `mask == 0`
```

Good:

```python
import torch
from torch import nn
from torch.nn import functional as F

query, counts = torch.ones(2, 1, 3, 4), torch.tensor([[1, 1, 0], [1, 0, 0]])
out = F.scaled_dot_product_attention(query, query, query, attn_mask=counts[:, None, None].bool())
attention, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.ones(2, 3, 4)
out, _ = attention(x, x, x, key_padding_mask=counts == 0)
```

Message (torch 1.7 to 1.10; `mask == 0`):

```text
AssertionError: Only float, byte, and bool types are supported for attn_mask, not torch.int64
```

Message (torch 2.0 to 2.13, of a TransformerEncoderLayer; `one kind`):

```text
UserWarning: Support for mismatched src_key_padding_mask and src_mask is deprecated. Use same type for both instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

WHOLE = ("long int", "int", "short int", "unsigned char", "signed char")
"""Whole numbers, as C++ calls their types."""


@pitfall.explains(
    r"Expected attn_mask dtype to be bool or .{1,60}got attn_mask\.dtype: (?P<came>[\w: ]{1,30}?) and\s+query\.dtype",
    odds=0.96,
)
def neither_bools_nor_as_the_query(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("c10::")
    says, fix = "the query's dtype, mask.to(query.dtype)", None
    if came in WHOLE:
        says, fix = "bools where it marks places, mask.bool()", failure.mended("mask_as_bool")
    yield failure.hit(f"the mask holds {came}, and attention takes {says}", fix)


WHOLE_NUMBERS = (
    "the mask is of whole numbers: mask == 0 where 1 marks what counts, or floats that are added"
)
pitfall.answers(
    {
        "only bool and floating types of": WHOLE_NUMBERS,
        "types are supported for attn_mask, not": WHOLE_NUMBERS,
        "is deprecated. Use same type for both instead": "both masks are of one kind: bool, or floats that are added",
    },
    odds=0.96,
)
