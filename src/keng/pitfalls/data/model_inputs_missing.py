r"""A model is called without an input that its forward needs.

The batch is a dict, and its keys are the names of the forward's arguments. A dataset whose columns have other names gives nothing: the
Trainer of Transformers drops every column that forward does not name, and an empty batch is left. An encoder-decoder takes the decoder's
inputs as well, or `labels`, of which it makes them; a detector in training mode takes the targets.

Cure: compare `inspect.signature(model.forward)` with the keys of a batch, rename the columns, tokenize before the training begins;
`remove_unused_columns=False` where a collate function of one's own makes the inputs; `labels=...` for a model that translates.

Bad:

```python
import torch
from transformers import BertConfig, BertForSequenceClassification

model = BertForSequenceClassification(BertConfig(num_hidden_layers=1))
scores = model(labels=torch.tensor([1]))
```

Good:

```python
import torch
from transformers import BertConfig, BertForSequenceClassification

model = BertForSequenceClassification(BertConfig(num_hidden_layers=1))
scores = model(input_ids=torch.tensor([[101, 1037, 102]]), labels=torch.tensor([1]))
```

Message (transformers; `input_ids`):

```text
ValueError: You have to specify either input_ids or inputs_embeds
```

Message (transformers; `labels`):

```text
ValueError: You have to specify either decoder_input_ids or decoder_inputs_embeds
```

Message (transformers; `pixel_values`):

```text
ValueError: You have to specify pixel_values
```

Message (transformers 4.46; `input_ids, attention_mask`):

```text
ValueError: The batch received was empty, your model won't be able to train on it. Double-check that your training dataset contains keys expected by the model: input_ids,attention_mask,labels.
```

Message (transformers; `text, label`):

```text
ValueError: No columns in the dataset match the model's forward method signature. The following columns have been ignored: [text, label]. Please check the dataset and model. You may need to set `remove_unused_columns=False` in `TrainingArguments`.
```

Message (datasets; `remove_unused_columns`):

```text
IndexError: Invalid key: 16 is out of bounds for size 0
```

Message (torchvision 0.6 to 0.11; `targets`):

```text
ValueError: In training mode, targets should be passed
```

Message (torchvision 0.15 and 0.29; `targets`):

```text
AssertionError: targets should not be none when in training mode
```

Message (transformers 4 and 5; `['label']`):

```text
ValueError: You should supply an encoding or a list of encodings to this method that includes input_ids, but you provided ['label']
```

Message (transformers 4 and 5; `joins dicts`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 30, in <module>
    trainer.train()
  File "/opt/conda/lib/python3.11/site-packages/transformers/data/data_collator.py", line 127, in torch_default_data_collator
    features = [vars(f) for f in features]
TypeError: vars() argument must have __dict__ attribute
```

Message (detectron2; `gt_masks`):

```text
AttributeError: Cannot find field 'gt_masks' in the given Instances!
```

Message (detectron2; `KEYPOINT_ON`):

```text
AttributeError: Cannot find field 'gt_keypoints' in the given Instances!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"You (?:have to specify (?:either )?|must specify exactly one of )(?P<names>(?:decoder_)?(?:input_ids|inputs_embeds|pixel_values|input_values|input_features|"
    r"inputs)(?:,? or (?:decoder_)?\w{3,40})?)",
    odds=0.95,
)
def nothing_came_in(failure: Failure) -> Hits:
    names = failure.groups["names"]
    cure = "the batch has it under another name, or not at all: print batch.keys()"
    if names.startswith("decoder_"):
        cure = "give labels, from which the model makes them, or generate()"
    yield failure.hit(f"the model got no {names}: {cure}")


@pitfall.explains(
    r"The batch received was empty.{0,160}?keys expected by the model: (?P<wants>[\w, ]{1,300})",
    r"No columns in the dataset match the model's forward method signature.{0,60}?ignored: \[(?P<came>[\w, ]{1,300})\]",
    odds=0.96,
)
def every_column_dropped(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    names = f", of {wants.replace(',', ', ')}" if wants else ""
    has = f"the columns {came} are" if came else "no column is"
    yield failure.hit(
        f"{has} not what forward takes{names}, and all was dropped: tokenize, rename, or remove_unused_columns=False"
        if came
        else f"{has} left{names}: all were dropped; tokenize, rename, or remove_unused_columns=False"
    )


@pitfall.explains(r"Invalid key: \d+ is out of bounds for size 0", odds=0.85)
def every_row_lost(failure: Failure) -> Hits:
    yield failure.hit(
        "no column is left of the dataset, as where the Trainer dropped those that forward does not name: "
        "remove_unused_columns=False, or columns of its names"
    )


@pitfall.explains(
    r"In training mode, targets should be passed|targets should not be none when in training mode",
    odds=0.96,
)
def detector_without_targets(failure: Failure) -> Hits:
    yield failure.hit(
        "a detector in training mode takes targets as well: model(images, targets), or model.eval() to predict"
    )


@pitfall.explains(
    r"an encoding or a list of encodings to this method that includes (?P<wants>\w{2,40}), but you provided (?P<came>\[.{0,200}?\])",
    odds=0.96,
)
def samples_without_tokens(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"the samples have {came} and no {wants}: map the tokenizer over the dataset before the trainer gets it, in columns that it keeps"
    )


@pitfall.explains(r"vars\(\) argument must have __dict__ attribute", odds=0.93)
def samples_without_names(failure: Failure) -> Hits:
    if failure.passed_through("transformers/data/data_collator.py"):
        yield failure.hit(
            "a sample is a text, a tuple or a tensor, and the collator joins dicts: a dataset that gives {'input_ids': ..., 'labels': ...}"
        )


@pitfall.explains(r"Cannot find field '(?P<field>gt_\w{2,30})' in the given Instances!", odds=0.94)
def annotations_without_field(failure: Failure) -> Hits:
    field = failure.groups["field"]
    off = {"gt_masks": " (MODEL.MASK_ON: False)", "gt_keypoints": " (MODEL.KEYPOINT_ON: False)"}
    yield failure.hit(
        f"the model learns of {field}, and the annotations of an image have none: add them, take images without "
        f"any out, or a configuration that does without{off.get(field, '')}"
    )
