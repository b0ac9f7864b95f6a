r"""The state of an optimizer belongs to other parameters.

An optimizer's state knows its parameters by their order and number alone. After a layer was added or
frozen, or when the groups are made otherwise, the saved numbers do not fit; where the counts happen to
agree, momentum lands on the wrong parameters without an error.

Cure: make model and groups exactly as when the file was saved, load, and change them afterwards; or
start the optimizer anew.

Bad:

```python
import torch
from torch import nn

before = torch.optim.Adam(nn.Linear(2, 2).parameters())
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())  # seen: two parameters saved, four here
```

Bad (another number of groups):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam([{"params": [p]} for p in model.parameters()])
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())  # seen: two groups saved, one here
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam(model.parameters())
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.says(
    r"loaded state dict (?:contains a parameter group that doesn't match the size of optimizer's group|has a "
    r"different number of parameter groups)",
    odds=0.97,
)
