r"""A mask is made of bytes instead of booleans.

Until 1.2 comparisons gave `uint8`, and masks were made with `.byte()`. Today a mask is `bool`: a
`uint8` one is deprecated as an index and refused by `masked_fill` and `masked_select`. On bytes `~`
flips all eight bits, so that 1 becomes 254, which is true as well; on booleans `-` is refused, so that
`1 - mask` fails on a mask that a newer function made.

Cure: `.bool()` instead of `.byte()`; `~mask` instead of `1 - mask`.

Bad:

```python
import torch

x = torch.arange(4.0)
mask = (x > 1).byte()
kept, others = x[mask], x[~mask]  # here: the inverse of a byte mask holds everything
padding = (1 - mask) * x
```

Proof:

```python
assert others.tolist() == [0, 1, 2, 3]
```

Bad (made of bytes):

```python
import torch

x = torch.arange(4.0)
done = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
x[~done] = 0.0  # here: every number of the inverse is one
```

Proof:

```python
assert x.tolist() == [0, 0, 0, 0]
```

Bad (made of bytes, and filled):

```python
import torch

x = torch.arange(4.0)
mask = torch.ByteTensor(4).fill_(0)
mask[x > 1] = 1
others = x[~mask]  # here: 255 and 254 are both true
```

Proof:

```python
assert others.tolist() == [0, 1, 2, 3]
```

Bad (filled):

```python
import torch

x = torch.arange(4.0)
mask = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
y = x.masked_fill(mask, 0.0)  # seen: only booleans are taken
```

Bad (selected):

```python
import torch

x = torch.arange(4.0)
mask = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
y = x.masked_select(mask)  # seen: only booleans are taken
```

Bad (a boolean mask, inverted as bytes were):

```python
import torch

x = torch.arange(4.0)
mask = x > 1
padding = 1 - mask  # seen: booleans have no minus
```

Bad (in a model):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = self.fc(x)
        mask = (x > 0).byte()
        return y[mask].sum() - y[~mask].sum()  # here: `255`


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().backward()
    optimizer.step()
```

Good:

```python
import torch

x = torch.arange(4.0)
mask = x > 1
kept, others = x[mask], x[~mask]
y = x.masked_fill(mask, 0.0).masked_select(~mask)
```

Fine (bytes as numbers; an index of whole numbers; something else that is indexed):

```python
import torch

pixels = (torch.rand(4) * 255).byte()
table = torch.arange(256.0)
shades = table[pixels.long()]
order = torch.tensor([3, 1])
some = table[order]
names = {0: "a"}
name = names[0]
```

Message (torch 1.2 to 2.13):

```text
UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.
```

Message (torch 1.2 to 2.0):

```text
UserWarning: masked_fill_ received a mask with dtype torch.uint8, this behavior is now deprecated,please use a mask with dtype torch.bool instead.
```

Message (torch 1.2 to 2.13; `where`):

```text
UserWarning: where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a boolean condition instead.
```

Message (torch 1.2 to 1.13):

```text
RuntimeError: masked_select: expected BoolTensor or ByteTensor for mask
```

Message (torch 1.2 to 2.13; `a & ~b`):

```text
RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.
```

Message (torch 1.2 to 2.13; `mask.float()`):

```text
  File "train.py", line 12, in <module>
    error = prediction - mask
RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.
```

Message (torch 2.13; `target.float()`):

```text
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 3608, in binary_cross_entropy_with_logits
    return torch.binary_cross_entropy_with_logits(
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.
```
"""

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import ByteIndex
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def indexed_with_bytes(code: Code) -> Hits:
    for node, mask, made in code.byte_masks():
        fix = None
        if isinstance(made.func, ast.Attribute) and made.func.attr == "byte":
            minus = [code.replace(node, f"~{name}") for node, name in code.taken_from_one(mask)]
            edits = (code.rename_attribute(made.func, "bool"), *minus)
            fix = Fix("Make the mask boolean", edits)
        yield code.hit(node, f"`{code.text_of(mask)}` holds bytes; a mask is boolean", fix=fix)


@pitfall.explains(
    r"indexing with dtype torch\.uint8 is now deprecated",
    r"(?P<what>where) received a uint8 condition tensor",
    r"(?P<what>masked_\w+) received a mask with dtype torch\.uint8",
    r"(?P<what>masked_\w+) only supports boolean masks, but got mask with dtype (?P<came>[\w ]+)",
    r"(?P<what>masked_select): expected BoolTensor (?:or ByteTensor )?for mask",
    odds=0.95,
)
def bytes_given(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "an index"
    other = "another dtype" if "expected BoolTensor for" in failure.message else "bytes"
    came = (failure.groups.get("came") or other).replace("unsigned char", "bytes")
    masks = [o.name for o in failure.live.operands if o.dtype in ("uint8", "int64", "int32")]
    name = masks[0] if len(masks) == 1 else "mask"
    fix = failure.turned(name, f"{name}.bool()") if masks == [name] else None
    fix = fix or (failure.mended("masked_by_bools") if what.startswith("masked_") else None)
    yield failure.hit(f"{what} takes a boolean mask and got {came}: {name}.bool()", fix)


@pitfall.explains(
    r"(?:Subtraction|Negation), the `-` operator, (?:with|on) (?:a|two) bool tensors?", odds=0.9
)
def booleans_subtracted(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/functional.py"):
        yield failure.hit("a loss computes with numbers, and gets a mask: target.float()")
        return
    if "two bool" in failure.message:
        yield failure.hit(
            "two boolean tensors are subtracted: a & ~b for what the first has alone, a ^ b where they differ, .float() of both to compute"
        )
        return
    masks = [operand.name for operand in failure.live.operands if operand.dtype.endswith("bool")]
    written = re.search(r"(?<![\w.])1(?:\.0?)? ?- ?([A-Za-z_][\w.]*)", failure.line)
    name = masks[0] if masks else written[1] if written else "mask"
    fix = failure.mended("inverted", name)
    says = f"`{name}` is boolean, which knows no minus: ~{name} inverts it"
    if not (fix or written or "Negation" in failure.message):
        says += f"; to compute with numbers {name}.float()"
    yield failure.hit(says, fix)


@pitfall.watches("index.bytes")
def masked_with_bytes(seen: ByteIndex) -> Hits:
    says = "a mask of bytes is used as an index"
    if seen.highest > 1:
        says = (
            f"a mask of bytes holds {seen.highest}: `~` has flipped its bits, and all of it is true"
        )
    yield seen.hit(says)
