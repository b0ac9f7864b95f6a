r"""The area under a curve is computed from classes in place of scores.

`roc_auc_score`, `average_precision_score`, `roc_curve` and `precision_recall_curve` rank samples by their scores: they try every
threshold. Predicted classes, from `argmax` or `p > 0.5`, have one threshold behind them already. The curve has then a single corner,
and its area is another number, for the ROC curve the balanced accuracy: lower than that of the model, and it moves with the threshold.

Cure: give the probability or the raw score of the positive class, `output.softmax(1)[:, 1]` or `output.squeeze(1)`.

Bad:

```python
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
x, y = torch.randn(200, 4), torch.arange(200) % 2
with torch.no_grad():
    output = model(x) + torch.stack([1.0 - y, 0.0 * y + 1.2], 1)
preds = output.argmax(dim=1)
auc = roc_auc_score(y.numpy(), preds.cpu().numpy())  # here: `preds.cpu().numpy()` holds classes
```

Proof:

```python
from sklearn.metrics import balanced_accuracy_score

assert abs(auc - balanced_accuracy_score(y, preds)) < 1e-9
assert roc_auc_score(y, output.softmax(1)[:, 1]) > auc + 0.05
```

Bad (gathered over the batches):

```python
import numpy as np
import torch
from sklearn import metrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64) % 2), batch_size=16)
y_true, y_pred = [], []
with torch.no_grad():
    for x, y in loader:
        p = torch.sigmoid(model(x)).squeeze(1)
        y_true.extend(y.tolist())
        y_pred.extend((p > 0.5).int().cpu().numpy())
ap = metrics.average_precision_score(y_true, np.array(y_pred))  # here: `np.array(y_pred)`
```

Proof:

```python
assert set(y_pred) <= {0, 1}
```

Bad (by the second of what `max` gives):

```python
import torch
from sklearn.metrics import roc_curve
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
labels, targets = [], []
for _ in range(4):
    x, y = torch.randn(16, 4), torch.arange(16) % 2
    _, predicted = torch.max(model(x), 1)
    labels.append(predicted)
    targets.append(y)
fpr, tpr, _ = roc_curve(torch.cat(targets), torch.cat(labels))  # here: `torch.cat(labels)`
```

Proof:

```python
assert len(fpr) <= 3
```

Good:

```python
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
x, y = torch.randn(200, 4), torch.arange(200) % 2
with torch.no_grad():
    output = model(x)
auc = roc_auc_score(y.numpy(), output.softmax(1)[:, 1].cpu().numpy())
```

Fine (the largest score; rounded to three digits; turned to one side; classes as the truth, and for an accuracy; now the one, now the other):

```python
import torch
from sklearn.metrics import accuracy_score, roc_auc_score
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
x, y = torch.randn(200, 4), torch.arange(200) % 2
with torch.no_grad():
    output = model(x).softmax(1)
confidence, preds = output.max(1)
accuracy = accuracy_score(y, preds)
when_sure = roc_auc_score(preds == y, confidence)
rounded = roc_auc_score(y, output[:, 1].numpy().round(3))
one_side = roc_auc_score(y, torch.where(preds == 1, confidence, 1 - confidence))
teacher = roc_auc_score(y_true=preds, y_score=model(x + 0.1).detach()[:, 1])
scores = preds
if len(scores) > 2:
    scores = output[:, 1]
auc = roc_auc_score(y, scores)
gathered = []
for row, chosen in zip(output, preds, strict=True):
    gathered.append(row[1] if chosen else (row[0] > 0.5))
largest = torch.max(output[:, 1], output[:, 1] / 2)
auc = roc_auc_score(y, gathered), roc_auc_score(y, largest)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import sklearn")

RANKING = [
    f"sklearn.metrics.{name}"
    for name in ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")
]


@pitfall.finds
def classes_given(code: Code) -> Hits:
    for call in code.calls_to(*RANKING):
        given = code.argument(call, "y_score", 1)
        if given is not None and code.holds_classes(given):
            name, text = code.written_name(call.func), code.text_of(given)
            yield code.hit(call, f"`{text}` holds classes, and `{name}` ranks by scores")
