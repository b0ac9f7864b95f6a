r"""Activation checkpointing is not told which of its two ways to go.

`torch.utils.checkpoint.checkpoint` has two implementations. The old one, reentrant, is still the default and warns:
it gives no gradients at all to the parameters when none of the inputs asks for them, and it cannot be combined with
`torch.autograd.grad`, with most wrappers, or with parameters that are used twice under DDP. The new one has none of
these limits.

Cure: `use_reentrant=False`.

Bad:

```python
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

block = nn.Linear(4, 4)
x = torch.randn(2, 4)
y = checkpoint(block, x)  # here: the reentrant way, and x asks for no gradient
```

Proof:

```python
assert not y.requires_grad
```

Good:

```python
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

block = nn.Linear(4, 4)
y = checkpoint(block, torch.randn(2, 4), use_reentrant=False)
```

Fine (handed on from outside):

```python
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.inner, self.options = nn.Linear(4, 4), options

    def forward(self, x):
        return checkpoint(self.inner, x, **self.options)


y = Block(use_reentrant=False)(torch.randn(2, 4))
```

Message (torch 2.4 to 2.13):

```text
UserWarning: torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.
```

Message (torch 2.1 to 2.3):

```text
UserWarning: torch.utils.checkpoint: please pass in use_reentrant=True or use_reentrant=False explicitly. The default value of use_reentrant will be updated to be False in the future. To maintain current behavior, pass use_reentrant=True. It is recommended that you use use_reentrant=False. Refer to docs for more details on the differences between the two variants.
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")
UNSAID = "checkpoint(..., use_reentrant=False), in Transformers gradient_checkpointing_kwargs={'use_reentrant': False}: only a warning, but the old form gives no gradients where no input asks for them"
SAID = (
    "the use_reentrant parameter should be passed explicitly",
    "please pass in use_reentrant=True or use_reentrant=False",
)
pitfall.answers(dict.fromkeys(SAID, UNSAID), odds=0.98)

CHECKPOINTS = (
    "torch.utils.checkpoint.checkpoint",
    "torch.utils.checkpoint.checkpoint_sequential",
)


@pitfall.finds(fixes=True)
def default_way(code: Code) -> Hits:
    for call in code.calls_to(*CHECKPOINTS):
        said = any(k.arg in ("use_reentrant", None) for k in call.keywords)
        if said or code.torch_at_least("1.11") is False:
            continue
        fix = code.add_argument(call, "use_reentrant=False", "Take the newer implementation")
        says = "goes the reentrant way, which loses gradients where no input asks for them"
        yield code.hit(call, says, fix=fix)
