r"""All warnings of a program are silenced.

`warnings.filterwarnings("ignore")` without a category or a message drops every warning that follows:
the one that was in the way, and those that tell of a scheduler in the wrong order, of shapes that
broadcast by accident, of what the next version takes away.

Cure: silence the one that is known, `filterwarnings("ignore", message="...", module="...")`, or only
around one call, `with warnings.catch_warnings():`; for one run `python -W ignore::UserWarning`.

Bad:

```python
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")  # here: the loss below broadcasts, and nothing tells
with warnings.catch_warnings(record=True) as shown:
    loss = nn.MSELoss()(torch.ones(4, 1), torch.ones(4))
```

Proof:

```python
assert not shown
```

Good:

```python
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", message="os.fork", category=RuntimeWarning)
with warnings.catch_warnings(record=True) as shown:
    p = nn.Dropout2d()(torch.ones(4, 3))
assert shown
```

Fine (around one call; of one kind; made louder):

```python
import warnings

import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    x = torch.ones(3)
warnings.simplefilter("ignore", DeprecationWarning)
warnings.filterwarnings("ignore", module="torchvision")
warnings.filterwarnings("default")
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.finds
def every_warning_dropped(code: Code) -> Hits:
    for call in code.calls_to("warnings.filterwarnings", "warnings.simplefilter"):
        action = code.argument(call, "action", position=0)
        if code.text_constant(action) != "ignore" or len(call.args) + len(call.keywords) != 1:
            continue
        if code.under_with(call, "warnings.catch_warnings"):
            continue
        yield code.hit(call, "drops every warning from here on, known or not")
