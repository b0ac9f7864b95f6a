r"""A metric is asked of data on which it has no value.

A true positive rate needs a positive label, a false positive rate a negative one, R2 and FID two samples, a correlation values that differ. A batch alone, a
rare class, the two batches of a sanity check or a model that always says the same lack them. torchmetrics then warns and goes on with 0, 1 or NaN, which
enters the mean. A value that is NaN is left out of an average, so that a loss that is gone looks finite.

Cure: `metric.update` in each step and `compute` once an epoch over all data; stratified splits; `average=None` to see each class; look where NaN comes from
instead of what is left.

Bad:

```python
import warnings

import torch
from torchmetrics.classification import BinaryAUROC

warnings.simplefilter("error")
auroc = BinaryAUROC()
area = auroc(torch.tensor([0.2, 0.4, 0.6]), torch.tensor([0, 0, 0]))
```

Good:

```python
import warnings

import torch
from torchmetrics.classification import BinaryAUROC

warnings.simplefilter("error")
auroc = BinaryAUROC()
area = auroc(torch.tensor([0.2, 0.4, 0.6]), torch.tensor([0, 0, 1]))
```

Message (torchmetrics 1; `no negative`):

```text
UserWarning: No negative samples in targets, false positive value should be meaningless. Returning zero tensor in false positive score
```

Message (torchmetrics 1; `no positive`):

```text
UserWarning: No positive samples found in target, recall is undefined. Setting recall to one for all thresholds.
```

Message (torchmetrics 1; `macro`):

```text
UserWarning: Average precision score for one or more classes was `nan`. Ignoring these classes in macro-average
```

Message (torchmetrics 1; `NaN`):

```text
UserWarning: Encountered `nan` values in tensor. Will be removed.
```

Message (torchmetrics 1; `two samples`):

```text
ValueError: Needs at least two samples to calculate r2 score.
```

Message (torchmetrics 1; `two real`):

```text
RuntimeError: More than one sample is required for both the real and fake distributed to compute FID
```

Message (torchmetrics 1; `nearly the same`):

```text
UserWarning: The variance of predictions or target is close to zero. This can cause instability in Pearson correlationcoefficient, leading to wrong results. Consider re-scaling the input if possible or computing using alarger dtype (currently using torch.float32). Setting the correlation coefficient to nan.
```

Message (torchmetrics 1; `4 entries`):

```text
UserWarning: 4 NaN values found in confusion matrix have been replaced with zeros.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import torchmetrics")


@pitfall.explains(
    r"No (?P<kind>positive|negative) samples (?:found )?in targets?, (?:true positive|false positive|recall)",
    odds=0.95,
)
def one_kind_alone(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    other = "negative" if kind == "positive" else "positive"
    yield failure.hit(
        f"what was counted has no {kind} label, all are {other} (for several classes: of one of them): compute once over the whole epoch, not in each batch"
    )


@pitfall.explains(
    r"Average precision score for one or more classes was `nan`\. Ignoring these classes in (?P<average>\w{3,10})-average",
    odds=0.95,
)
def classes_left_out(failure: Failure) -> Hits:
    average = failure.groups["average"]
    yield failure.hit(
        f"the {average} average is over fewer classes, as some have no value on these data: average=None shows which"
    )


@pitfall.explains(
    r"(?P<count>\d{1,6}) NaN values found in confusion matrix have been replaced", odds=0.95
)
def rows_of_nothing(failure: Failure) -> Hits:
    count = failure.groups["count"]
    yield failure.hit(
        f"{count} entries are shares of a class that has no sample (with normalize='true'), or was never predicted ('pred'), and stand as 0"
    )


LACKS = {
    "Encountered `nan` values in tensor. Will be removed": "a value that is averaged is NaN, and the result is of the others alone: torch.isfinite(loss) in the step, and the first step where it is not",
    "Needs at least two samples to calculate r2": "R2 needs two samples, and fewer were counted: a last batch of one, or compute before update; update in each step, compute once an epoch",
    "More than one sample is required for both the real and fake": "fewer than two real or two made images were counted: update(images, real=True) and update(images, real=False) before compute",
    "The variance of predictions or target is close to zero": "the predictions or the labels are nearly the same for all samples, or NaN, which no correlation is of: see their std()",
}
pitfall.answers(LACKS, odds=0.95)
