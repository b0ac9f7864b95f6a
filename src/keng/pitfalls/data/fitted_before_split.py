r"""Features are chosen by the labels of samples that are tested on later.

`SelectKBest(...).fit_transform(X, y)` looks for the columns that go with the labels, and among many columns there are
always some that do so by chance. Where the samples of the test are among those it looks at, these columns fit the test as
well: labels that nothing can tell are then told in the test, and no longer with new samples. The same holds for what
encodes categories by labels, and for samples that SMOTE makes between others, which then stand on both sides.

A scaler or a PCA reads no labels, and the test gains little by it: `keng check --suspicious` tells those.

Cure: split first; `fit` on the part for training, `transform` both. A `Pipeline` does so within a cross-validation.

Bad:

```python
import torch
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(80, 4000), torch.arange(80) % 2
chosen = SelectKBest(k=20).fit_transform(x, y)  # here: by the labels of the test as well
x_train, x_test, y_train, y_test = train_test_split(chosen, y, random_state=0)
x_train, x_test = torch.tensor(x_train), torch.tensor(x_test)
model = nn.Linear(20, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(100):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x_train), y_train).backward()
    optimizer.step()
accuracy = (model(x_test).argmax(1) == y_test).float().mean()
```

Proof:

```python
assert accuracy > 0.7
```

Bad (fitted and applied apart; a data set is split):

```python
import torch
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from torch.utils.data import TensorDataset, random_split

torch.manual_seed(0)
x, y = torch.randn(80, 200), torch.arange(80) % 2
analysis = LinearDiscriminantAnalysis()
analysis.fit(x, y)  # here: the labels of all
scores = torch.tensor(analysis.transform(x))
data = TensorDataset(scores.float(), y)
train_set, test_set = random_split(data, [60, 20])
```

Proof:

```python
assert sum((score > 0) == label for score, label in test_set) > 14
```

Bad (split by position, in a function):

```python
import torch
from sklearn.feature_selection import SelectKBest, f_classif


def load():
    x, y = torch.randn(80, 4000), torch.arange(80) % 2
    x = SelectKBest(f_classif, k=20).fit_transform(x, y)  # here: the last 20 too
    return torch.from_numpy(x), y


torch.manual_seed(0)
x, y = load()
x_train, y_train = x[:60], y[:60]
x_test, y_test = x[60:], y[60:]
```

Proof:

```python
ones, zeros = x_train[y_train == 1].mean(0), x_train[y_train == 0].mean(0)
nearer = (x_test - ones).norm(dim=1) < (x_test - zeros).norm(dim=1)
assert (nearer == y_test.bool()).float().mean() > 0.7
```

Good:

```python
import torch
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split

torch.manual_seed(0)
x, y = torch.randn(80, 4000), torch.arange(80) % 2
x_train, x_test, y_train, y_test = train_test_split(x, y, random_state=0)
selector = SelectKBest(k=20).fit(x_train, y_train)
x_train, x_test = (
    torch.tensor(selector.transform(x_train)),
    torch.tensor(selector.transform(x_test)),
)
```

Fine (within what is for training; all columns; to look at; a last model; parts without a test; each sample by itself; in a pipeline):

```python
import torch
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from torch.utils.data import TensorDataset, random_split

torch.manual_seed(0)
x, y = torch.randn(80, 400), torch.arange(80) % 2
best = SelectKBest(k=20).fit(x, y)
print(best.scores_.max(), SelectKBest(k=20).fit_transform(x, y).shape)
kept, x_test, y_kept, y_test = train_test_split(x, y, random_state=0)
selector = SelectKBest(k=20)
chosen = selector.fit_transform(kept, y_kept)
x_train, x_val, y_train, y_val = train_test_split(chosen, y_kept, random_state=0)
every = SelectKBest(k="all").fit_transform(Normalizer().fit_transform(x), y)
first_train, first_test = train_test_split(every, random_state=0)
rows = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)
row_train, row_test = rows[:60], rows[60:]
few = TensorDataset(torch.tensor(SelectKBest(k=5).fit_transform(x, y)), y)
labelled, unlabelled = random_split(few, [40, 40])
final = LogisticRegression().fit(best.transform(x), y)
pipeline = make_pipeline(SelectKBest(k=20), LogisticRegression())
print(cross_val_score(pipeline, x, y), selector.transform(x_test).shape)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import sklearn")


@pitfall.finds
def learnt_from_all(code: Code) -> Hits:
    for place, name, part, sure in code.fitted_before_split():
        if sure:
            yield code.hit(
                place, f"`{name}` reads the labels of `{part}`, which is split off later"
            )
        else:
            says = f"`{name}` is computed over `{part}` as well, which is split off later"
            yield code.hit(place, says, sure=False)
