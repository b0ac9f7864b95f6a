r"""A mask comes after the softmax, with a number that is meant for scores.

Before a softmax, -inf or -1e9 makes a weight zero. Behind it, the weights are numbers between 0 and 1 that sum to one: there
-1e9 is a weight of minus a billion, and -inf makes everything infinite or NaN. And what was hidden has had its share of the
softmax by then.

Cure: mask the scores, then take the softmax; or give the mask to `scaled_dot_product_attention`.

Bad:

```python
import torch

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 5, 8).unbind(0)
mask = torch.ones(5, 5).tril()
weights = torch.softmax(q @ k.transpose(-2, -1) / 8**0.5, dim=-1)
weights = weights.masked_fill(mask == 0, -1e9)  # here: a weight of minus a billion
out = weights @ v
```

Proof:

```python
assert out.abs().max() > 1e6
```

Good:

```python
import torch

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 5, 8).unbind(0)
mask = torch.ones(5, 5).tril()
scores = (q @ k.transpose(-2, -1) / 8**0.5).masked_fill(mask == 0, float("-inf"))
out = torch.softmax(scores, dim=-1) @ v
```

Fine (zero behind the softmax; scores that are masked; logarithms):

```python
import torch

torch.manual_seed(0)
scores, mask = torch.randn(2, 5), torch.tensor([True, False, True, True, False])
weights = torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
hidden = scores.masked_fill(mask, -1e9)
logs = torch.log_softmax(scores, dim=-1).masked_fill(mask, float("-inf"))


def best_allowed(scores, forbidden):
    chances = torch.softmax(scores, dim=-1)
    return chances.masked_fill(forbidden, float("-inf")).argmax(dim=-1)


chosen = best_allowed(scores, mask)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def weights_hidden_as_scores(code: Code) -> Hits:
    for call, given in code.masked_weights():
        says = f"`{code.text_of(given)}` are weights, not scores: mask them before the softmax"
        yield code.hit(call, says)
