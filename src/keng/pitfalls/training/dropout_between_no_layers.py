r"""A recurrent layer is told to drop out between layers, and it has only one.

`dropout` of `nn.LSTM`, `nn.GRU` and `nn.RNN` acts on the outputs of every layer but the last. With `num_layers=1`, which is the
default, there is nothing in between and nothing is dropped. A warning says so, once.

Cure: `nn.Dropout` on the output of the layer, or `num_layers=2`.

Bad:

```python
import warnings

import torch
from torch import nn

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    lstm = nn.LSTM(4, 8, dropout=0.5)  # seen: one layer, nothing between
x = torch.ones(3, 1, 4)
first, second = lstm(x)[0], lstm(x)[0]
```

Proof:

```python
assert "dropout option adds dropout" in str(said[0].message)
assert torch.equal(first, second)
```

Good:

```python
import torch
from torch import nn

lstm, dropout = nn.LSTM(4, 8), nn.Dropout(0.5)
y = dropout(lstm(torch.ones(3, 1, 4))[0])
```

Message (torch 1.0 to 2.13):

```text
UserWarning: dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout=0.5 and num_layers=1
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")
pitfall.answers(
    {
        "dropout option adds dropout after all but last recurrent layer": "one layer has no place between layers, and its dropout does nothing: an nn.Dropout behind it, num_layers=2, or dropout=0",
    },
    odds=0.97,
)
