r"""A model is called with an input that its forward does not take.

A batch goes into `model(**batch)` key by key, and each key must be an argument of forward. A tokenizer or a collator makes keys that not every model
has (`token_type_ids`), a model without a head takes no `labels`, a vision model no `input_ids`. What calls the model adds some:
Transformers' Trainer `num_items_in_batch` since 4.46, PEFT with a `task_type` `inputs_embeds` and `return_dict`.

What is given must be tensors: a tokenizer makes lists unless `return_tensors="pt"` is said.

Cure: give forward the argument, or `**kwargs`; take the key out of the batch (`batch.pop`, `return_token_type_ids=False`); a model with a head
(`AutoModelForSequenceClassification`); `get_peft_model` without `task_type` for a model of one's own.

Bad:

```python
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(100, 2)

    def forward(self, input_ids):
        return self.words(input_ids)


batch = {"input_ids": torch.tensor([[5, 7]]), "labels": torch.tensor([1])}
scores = Classifier()(**batch)  # seen: `labels`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(100, 2)

    def forward(self, input_ids, labels=None):
        scores = self.words(input_ids)
        return scores if labels is None else (F.cross_entropy(scores, labels), scores)


batch = {"input_ids": torch.tensor([[5, 7]]), "labels": torch.tensor([1])}
loss, scores = Classifier()(**batch)
```

Message (transformers 4.30; `AutoModelFor...`):

```text
TypeError: BertModel.forward() got an unexpected keyword argument 'labels'
```

Message (Python 3.9; `token_type_ids`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 40, in <module>
    trainer.train()
  File "/opt/conda/lib/python3.9/site-packages/transformers/trainer.py", line 2655, in compute_loss
    outputs = model(**inputs)
  File "/opt/conda/lib/python3.9/site-packages/torch/nn/modules/module.py", line 1501, in _call_impl
    return forward_call(*args, **kwargs)
TypeError: forward() got an unexpected keyword argument 'token_type_ids'
```

Message (PEFT, of a model of one's own; `task_type`):

```text
TypeError: Classifier.forward() got an unexpected keyword argument 'inputs_embeds'
```

Message (transformers 4.46, of a model of one's own; `num_items_in_batch`):

```text
TypeError: Classifier.forward() got an unexpected keyword argument 'num_items_in_batch'
```

Message (transformers 4 and 5; `return_tensors='pt'`):

```text
Traceback (most recent call last):
  File "/home/u/embed.py", line 9, in <module>
    vectors = model(tokenizer(texts)["input_ids"])
  File "/opt/conda/lib/python3.11/site-packages/transformers/models/bert/modeling_bert.py", line 1041, in forward
    input_shape = input_ids.size()
AttributeError: 'list' object has no attribute 'size'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "labels": "forward(..., labels=None), or a model with a head (AutoModelFor...)",
    "token_type_ids": "tokenizer(..., return_token_type_ids=False), or out of the batch",
    "inputs_embeds": "PEFT asks for it by its task_type: leave that out for a model of one's own",
    "num_items_in_batch": "the Trainer gives it since transformers 4.46: **kwargs in forward",
}
OTHERWISE = "an argument of that name, **kwargs, or out of the batch"


@pitfall.explains(
    r"\b(?:(?P<model>\w{1,80})\.)?forward\(\) got an unexpected keyword argument '(?P<name>labels?|input_ids|token_type_ids|inputs_embeds|"
    r"decoder_input_ids|pixel_values|num_items_in_batch)'",
    odds=0.93,
)
def no_argument_of_that_name(failure: Failure) -> Hits:
    model, name = failure.groups["model"], failure.groups["name"]
    whose = f"the forward of {model}" if model else "the model's forward"
    yield failure.hit(f"{whose} takes no `{name}`: {CURES.get(name, OTHERWISE)}")


@pitfall.explains(r"'(?P<kind>list|str|dict)' object has no attribute '(?:size|shape)'", odds=0.95)
def no_tensor_at_all(failure: Failure) -> Hits:
    if any("/transformers/models/" in frame.posix for frame in failure.frames):
        yield failure.hit(
            f"the model takes tensors, and gets a {failure.groups['kind']}: tokenizer(texts, return_tensors='pt'), and model(**inputs)"
        )
