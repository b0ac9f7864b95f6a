r"""A metric gets scores or labels in another form than it takes.

A metric of classes takes class numbers, or scores with one dimension more, (N, C, ...), for labels (N, ...); one of two classes takes
probabilities or 0 and 1. Labels are whole numbers. Since torchmetrics 0.11 `Accuracy` and its kin must be told the task, and the
number of classes or labels with it. `compute` before any `update` has nothing to count.

Cure: `task="multiclass", num_classes=C` with raw scores (N, C) and labels (N,); `task="binary"` with `preds.squeeze(1)`; labels `.long()`;
update in every step, `compute` and `reset` at the end of the epoch.

Bad:

```python
import torch
from torchmetrics import Accuracy

accuracy = Accuracy()
accuracy(torch.randn(8, 3), torch.zeros(8))
```

Good:

```python
import torch
from torchmetrics import Accuracy

accuracy = Accuracy(task="multiclass", num_classes=3)
accuracy(torch.randn(8, 3), torch.zeros(8, dtype=torch.long))
```

Message (torchmetrics 0.11 to 1.9, of a column; `labels.squeeze(1)`):

```text
RuntimeError: Predictions and targets are expected to have the same shape, but got torch.Size([32]) and torch.Size([32, 1]).
```

Message (torchmetrics; `argmax(1)`):

```text
RuntimeError: Predictions and targets are expected to have the same shape, but got torch.Size([32, 10]) and torch.Size([32]).
```

Message (torchmetrics 1; `argmax(1)`):

```text
ValueError: The `preds` and `target` should have the same shape, got `preds` with shape=torch.Size([32, 10]) and `target` with shape=torch.Size([32]).
```

Message (MONAI; `to_onehot_y`):

```text
AssertionError: ground truth has different shape (torch.Size([2, 1, 96, 96])) from input (torch.Size([2, 3, 96, 96]))
```

Message (MONAI; `to_onehot_y`):

```text
ValueError: y_pred and y should have same shapes, got torch.Size([1, 2, 96, 96]) and torch.Size([1, 1, 96, 96]).
```

Message (torchmetrics, of a forecast whose 1 stands at another place; `transpose(1, 2)`):

```text
RuntimeError: Predictions and targets are expected to have the same shape, but got torch.Size([32, 1, 48]) and torch.Size([32, 48, 1]).
```

Message (MONAI; `out_channels=3`):

```text
AssertionError: ground truth has different shape (torch.Size([2, 3, 96, 96])) from input (torch.Size([2, 1, 96, 96]))
```

Message (MONAI, two channels of labels; `out_channels=2`):

```text
AssertionError: ground truth has different shape (torch.Size([1, 2, 96, 96])) from input (torch.Size([1, 4, 96, 96]))
```

Message (torchmetrics 1.9; `task`):

```text
TypeError: Accuracy.__new__() missing 1 required positional argument: 'task'
```

Message (torchmetrics 1.9; `num_classes`):

```text
ValueError: Optional arg `num_classes` must be type `int` when task is multiclass. Got <class 'NoneType'>
```

Message (torchmetrics 1.9; `num_labels`):

```text
ValueError: `num_labels` is expected to be `int` but `<class 'NoneType'> was passed.`
```

Message (torchmetrics 0.10; `.long()`):

```text
ValueError: The `target` has to be an integer tensor.
```

Message (torchmetrics 1; `torch.float32`):

```text
ValueError: Expected argument `target` to be an int or long tensor with ground truth labels but got tensor with dtype torch.float32
```

Message (torchmetrics 1; `torch.int64`):

```text
ValueError: Expected argument `preds` to be an floating tensor with probability/logit scores, but got tensor with dtype torch.int64
```

Message (torchmetrics 0.2 and 0.3; `softmax`):

```text
ValueError: The `preds` should be probabilities, but values were detected outside of [0,1] range.
```

Message (torchmetrics 0.10 and 1.9; `(N, C, ...)`):

```text
ValueError: Either `preds` and `target` both should have the (same) shape (N, ...), or `target` should be (N, ...) and `preds` should be (N, C, ...).
```

Message (torchmetrics 1; `(N, C, ...)`):

```text
ValueError: If `preds` have one dimension more than `target`, `preds.shape[1]` should be equal to number of classes.
```

Message (torchmetrics 0.10; `(N, C, ...)`):

```text
ValueError: The `preds` and `target` should have the same first dimension.
```

Message (torchmetrics 0.10; `(N, C, ...)`):

```text
ValueError: If `preds` and `target` are of shape (N, ...) and `preds` are floats, `target` should be binary.
```

Message (Ignite 0.5; `[4, 3, 1]`):

```text
ValueError: y must have shape of (batch_size, ...) and y_pred must have shape of (batch_size, num_categories, ...) or (batch_size, ...), but given torch.Size([4, 3, 1]) vs torch.Size([4, 3]).
```

Message (Ignite; `0 and 1`):

```text
ValueError: For binary cases, y must be comprised of 0's and 1's.
```

Message (Ignite; `update`):

```text
NotComputableError: CategoricalAccuracy must have at least one example before it can be computed.
```

Message (torchmetrics; `update`):

```text
UserWarning: The ``compute`` method of metric MulticlassAccuracy was called before the ``update`` method which may lead to errors, as metric states have not yet been updated.
```

Message (torchmetrics 0.11 to 1; `num_classes`):

```text
ValueError: Expected argument `num_classes` to be an integer larger than 1, but got 1
```

Message (torchmetrics 0.11 to 1; `task`):

```text
ValueError: Expected argument `task` to either be 'binary', 'multiclass' or 'multilabel' but got None
```

Message (torchmetrics 0.5 to 0.10; `mdmc_average`):

```text
ValueError: When your inputs are multi-dimensional multi-class, you have to set the `mdmc_reduce` parameter
```
"""

from keng.explain.advice.inputs import one_form
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torchmetrics")


@pitfall.explains(
    r"__new__\(\) missing 1 required positional argument: '(?P<what>task)'",
    r"Optional arg `(?P<what>num_classes|num_labels|top_k)` must be type `int` when task is (?P<task>\w+)",
    r"`(?P<what>num_classes|num_labels)` is expected to be `int` but `<class|Expected argument `(?P<other>num_classes|num_labels|task)` to (?:either )?be",
    r"inputs are multi-dimensional multi-class, you have to set the `(?P<what>mdmc_reduce|mdmc_average)` parameter",
    odds=0.93,
)
def not_told(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["other"]
    task = failure.groups.get("task") or "multiclass"
    example = 'mdmc_average="global"' if "mdmc" in what else f'task="{task}", {what}=...'
    if what == "task":
        example = 'task="binary", or task="multiclass", num_classes=C'
    yield failure.hit(f"the metric is not told its {what}: {example}")


@pitfall.explains(
    r"The [`']target[`'] has to be an integer tensor",
    r"Expected argument `target` to be an int or long tensor.{0,80}? dtype (?P<dtype>torch\.\w+)",
    odds=0.95,
)
def labels_that_are_floats(failure: Failure) -> Hits:
    dtype = failure.groups.get("dtype")
    yield failure.hit(
        f"the labels are {dtype or 'floats'}, and classes are whole numbers: target.long()"
    )


@pitfall.explains(
    r"Expected (?:argument )?`preds` to be (?:an? )?(?:floating|float) tensor.{0,60}?, but got (?:tensor with dtype )?(?P<dtype>torch\.u?int\d+|torch\.bool)",
    odds=0.95,
)
def classes_for_scores(failure: Failure) -> Hits:
    yield failure.hit(
        f"the predictions are {failure.groups['dtype']}, and this metric is of scores: what the model gives, before argmax or > 0.5"
    )


@pitfall.explains(
    r"Either `preds` and `target` both should have the \(same\) shape|If `preds` have one dimension more than `target`",
    r"The `preds` and `target` should have the same first dimension|`preds` are floats, `target` should be binary",
    r"y_pred must have shape of \(batch_size, num_categories, \.\.\.\).{0,80}?given torch\.Size\((?P<target>\[[\d, ]*\])\) vs "
    r"torch\.Size\((?P<preds>\[[\d, ]*\])",
    odds=0.93,
)
def shapes_that_do_not_fit(failure: Failure) -> Hits:
    preds, target = failure.groups.get("preds"), failure.groups.get("target")
    came = f", not {preds} and {target}" if preds else ""
    yield failure.hit(
        f"scores are (N, C, ...) and labels (N, ...){came}: see both shapes, squeeze, or argmax(1) of one-hot labels"
    )


EMPTY = "compute came before any update: the loader was empty, or the metric was reset"
BINARY = "a binary metric counts 0 and 1: (y_pred > 0.5).long(), labels of the same"
FORMS = {
    "`preds` should be probabilities, but values were detected outside": "raw scores where probabilities are taken: preds.softmax(1) or preds.sigmoid() for the metric alone",
    "For binary cases, y must be comprised of 0's and 1's": BINARY,
    "For binary cases, y_pred must be comprised of 0's and 1's": BINARY,
    " must have at least one example before it can be computed": EMPTY,
    "was called before the ``update`` method": EMPTY,
}
pitfall.answers(FORMS, odds=0.94)


@pitfall.explains(
    r"(?:Predictions and targets are expected to have the same shape, but got|y_pred and y should have same shapes, got) "
    r"torch\.Size\(\[(?P<input>[\d, ]*)\]\) and torch\.Size\(\[(?P<target>[\d, ]*)\]",
    r"`preds` and `target` should have the same shape, got `preds` with shape=torch\.Size\(\[(?P<input>[\d, ]*)\]\) and "
    r"`target` with shape=torch\.Size\(\[(?P<target>[\d, ]*)\]",
    r"ground truth has differ(?:ent|ing) shape \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) from input \(torch\.Size\(\[(?P<input>[\d, ]*)\]",
    odds=0.95,
)
def of_a_metric(failure: Failure) -> Hits:
    given, target = failure.groups["input"], failure.groups["target"]
    cure = one_form(target, given)
    yield failure.hit(f"the scores are ({given}), the labels ({target}): {cure}")
