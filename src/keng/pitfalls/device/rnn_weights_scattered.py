r"""The weights of a recurrent layer do not lie in one piece.

cuDNN wants all weights of an LSTM or GRU one after the other. Copies, DataParallel's replicas, weights that were shared, loaded in
parts or replaced lie apart: in every call they are put together again, which takes memory and time. A state
that was transposed or expanded is refused outright.

Cure: `lstm.flatten_parameters()` at the beginning of forward; `.contiguous()` for states.

Bad:

```python
import warnings

import torch
from torch import nn

warnings.simplefilter("error")
lstm = nn.LSTM(4, 8).cuda()
lstm.weight_hh_l0 = nn.Parameter(lstm.weight_hh_l0.detach().clone())
y = lstm(torch.ones(5, 3, 4, device="cuda"))  # seen: `flatten_parameters`
```

Good:

```python
import torch
from torch import nn

lstm = nn.LSTM(4, 8)
lstm.flatten_parameters()
state = torch.zeros(3, 1, 8).transpose(0, 1).contiguous()
y = lstm(torch.ones(5, 3, 4), (state, state))
```

Message (torch 1.0 to 2.13; `flatten_parameters`):

```text
UserWarning: RNN module weights are not part of single contiguous chunk of memory. This means they need to be compacted at every call, possibly greatly increasing memory usage. To compact weights again call flatten_parameters().
```

Message (torch 1.0 to 2.13; `contiguous`):

```text
RuntimeError: rnn: hx is not contiguous
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="several cards")


@pitfall.explains(r"RNN module weights are not part of single contiguous chunk", odds=0.97)
def put_together_each_time(failure: Failure) -> Hits:
    yield failure.hit(
        "call flatten_parameters() of the recurrent layer at the beginning of forward"
    )


@pitfall.explains(r"rnn: hx is not contiguous", odds=0.97)
def state_not_contiguous(failure: Failure) -> Hits:
    yield failure.hit(
        "the state of the recurrent layer was transposed or expanded: .contiguous() first"
    )
