r"""An evaluation keeps more of a model's outputs than its scores.

For `compute_metrics` the Trainer of Transformers gathers from all processes and joins over all batches whatever the model returns beside the loss: hidden states, a cache of keys and values,
texts. What is no tensor cannot be gathered, and what has another form in the last batch cannot be joined. `compute_metrics` then gets a tuple of arrays where the model returns several,
as T5 and BART do, and `np.argmax` of that is no array.

Cure: `trainer.evaluate(ignore_keys=["past_key_values", "hidden_states"])`, `config.use_cache = False`, or `preprocess_logits_for_metrics=lambda logits, labels: logits[0].argmax(-1)`, which
also saves memory; in `compute_metrics` `predictions[0]`; a model of one's own returns the loss, the scores and no more in eval mode.

Bad:

```python
import torch
from torch import nn
from transformers import Trainer, TrainingArguments


class Labelled(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, x, labels):
        scores = self.head(x)
        return {
            "loss": nn.functional.cross_entropy(scores, labels),
            "logits": scores,
            "names": {1, 2},
        }


data = [{"x": [0.0, 1.0], "labels": 1}] * 4
args = TrainingArguments("out", report_to=[], use_cpu=True)
Trainer(Labelled(), args, eval_dataset=data, compute_metrics=lambda each: {}).evaluate()
```

Good:

```python
import torch
from torch import nn
from transformers import Trainer, TrainingArguments


class Labelled(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, x, labels):
        scores = self.head(x)
        return {
            "loss": nn.functional.cross_entropy(scores, labels),
            "logits": scores,
            "names": {1, 2},
        }


data = [{"x": [0.0, 1.0], "labels": 1}] * 4
args = TrainingArguments("out", report_to=[], use_cpu=True)
trainer = Trainer(Labelled(), args, eval_dataset=data, compute_metrics=lambda each: {})
trainer.evaluate(ignore_keys=["names"])
```

Message (transformers 4.40; `DynamicCache`):

```text
AttributeError: 'DynamicCache' object has no attribute 'detach'
```

Message (transformers 4; `another form`):

```text
AssertionError: Expected `tensors` and `new_tensors` to have the same type but found <class 'tuple'> and <class 'torch.Tensor'>.
```

Message (NumPy 1.24 and later; `predictions[0]`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 80, in <module>
    trainer.train()
  File "/opt/conda/lib/python3.10/site-packages/transformers/trainer.py", line 3235, in evaluation_loop
    metrics = self.compute_metrics(EvalPrediction(predictions=all_preds, label_ids=all_labels))
  File "/home/u/train.py", line 41, in compute_metrics
    predictions = np.argmax(logits, axis=-1)
  File "/opt/conda/lib/python3.10/site-packages/numpy/core/fromnumeric.py", line 45, in _wrapit
    result = getattr(asarray(obj), method)(*args, **kwds)
ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 2 dimensions. The detected shape was (2, 8) + inhomogeneous part.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers, accelerate")

CURE = "ignore_keys=[...], use_cache=False, or preprocess_logits_for_metrics"


@pitfall.explains(
    r"'(?P<kind>\w{1,30}Cache)' object has no attribute 'detach'",
    r"Unsupported types \(<class '(?P<kind>[\w.]{1,80})'>\) passed to `_(?:gpu_gather_one|gpu_gather|gather\w{0,20}|pad_across_processes)`",
    odds=0.97,
)
def no_tensor_to_gather(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if "Cache" in kind or failure.passed_through("transformers/trainer.py"):
        yield failure.hit(f"the outputs of an evaluation hold a {kind}, which is no tensor: {CURE}")


@pitfall.explains(r"Expected `tensors` and `new_tensors` to have the same type", odds=0.95)
def another_form(failure: Failure) -> Hits:
    yield failure.hit(f"the model's outputs have another form from batch to batch: {CURE}")


@pitfall.explains(r"has an inhomogeneous shape after \d+ dimensions", odds=0.93)
def array_of_several(failure: Failure) -> Hits:
    if any(
        frame.function == "compute_metrics" and "argmax" in frame.text for frame in failure.frames
    ):
        yield failure.hit(
            "the predictions are a tuple, since the model returns more than the scores: predictions[0], or "
            "preprocess_logits_for_metrics"
        )
