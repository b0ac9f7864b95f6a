r"""A counter of rounds without improvement is not set back when things improve.

Early stopping waits for some rounds in a row without a better result. Where the counter goes up at each worse round and a better
one leaves it as it is, the rounds need not be in a row: a measure that wavers on its way down, as most do, ends the
training after so many bad rounds in all, long before it has come to its best.

Cure: `counter = 0` beside `best = value`.

Bad:

```python
import torch

losses = [torch.tensor(1.0 - 0.01 * step + 0.03 * (step % 2)) for step in range(100)]
best, epochs_no_improve, patience = float("inf"), 0, 5
for epoch in range(100):
    if losses[epoch] < best:
        best = losses[epoch]
    else:
        epochs_no_improve += 1  # here: never 0 again
        if epochs_no_improve >= patience:
            break
```

Proof:

```python
assert epoch < 20 and min(losses) < best - 0.5
```

Bad (in a class):

```python
import torch


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience, self.counter, self.best, self.early_stop = patience, 0, torch.inf, False

    def __call__(self, value):
        if value >= self.best:
            self.counter += 1  # here: never 0 again
            if self.counter >= self.patience:
                self.early_stop = True
        else:
            self.best = value


stopping = EarlyStopping()
for step in range(10):
    stopping(torch.tensor(1.0 - 0.01 * step + 0.03 * (step % 2)))
```

Proof:

```python
assert stopping.early_stop
```

Good:

```python
import torch

losses = [torch.tensor(1.0 - 0.01 * step + 0.03 * (step % 2)) for step in range(100)]
best, epochs_no_improve, patience = float("inf"), 0, 5
for epoch in range(100):
    if losses[epoch] < best:
        best = losses[epoch]
        epochs_no_improve = 0
    else:
        epochs_no_improve += 1
        if epochs_no_improve >= patience:
            break
assert epoch == 99
```

Fine (set back elsewhere, or by a method; a count that ends nothing; of what is not compared with a best):

```python
import torch

losses = [torch.tensor(1.0 - 0.01 * step) for step in range(10)]
best, wait, bad_epochs, bad_batches = float("inf"), 0, 0, 0
for loss in losses:
    improved = loss < best
    if loss < best:
        best = loss
    else:
        wait += 1
    if improved:
        wait = 0
    if wait > 5:
        break
for loss in losses:
    if loss < best:
        best = loss
    else:
        bad_epochs += 1
print(bad_epochs)


class Stopping:
    def __init__(self):
        self.bad, self.best, self.stop = 0, torch.inf, False

    def renew(self):
        self.bad = 0

    def __call__(self, value):
        if value < self.best:
            self.best = value
            self.renew()
        else:
            self.bad += 1
        if self.bad > 3:
            self.stop = True


stopping = Stopping()
stopping(torch.tensor(1.0))
for loss in losses:
    if loss.isfinite():
        best = min(best, loss)
    else:
        bad_batches += 1
    if bad_batches > 5:
        break
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def counted_in_all(code: Code) -> Hits:
    for added, name, best in code.counters_never_reset():
        says = f"`{name}` is not set back to 0 where `{best}` gets better"
        yield code.hit(added, f"{says}: bad rounds are counted in all, not in a row")
