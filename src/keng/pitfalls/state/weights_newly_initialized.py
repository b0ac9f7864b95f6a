r"""A part of a pretrained model is not in its checkpoint and begins at random.

`from_pretrained` warns of it and goes on. For a new head, `classifier` or `score`, before fine-tuning this is right, and the model
cannot predict yet. Where whole layers of the body are listed, the names in the file are others (a prefix, another architecture, a wrapped
or quantized model), and what was trained is lost; a model that was fine-tuned and is loaded by another class loses its head the same way.

Cure: read the names; train the head, or load with the class it was saved by; `keng ckpt match` plans which entry of a file goes where.

Bad:

```python
from transformers import BertConfig, BertForSequenceClassification, BertModel

BertModel(BertConfig(num_hidden_layers=1)).save_pretrained("pretrained")
first = BertForSequenceClassification.from_pretrained("pretrained")
again = BertForSequenceClassification.from_pretrained("pretrained")
```

Proof:

```python
assert not first.classifier.weight.equal(again.classifier.weight)
```

Good:

```python
from transformers import BertConfig, BertForSequenceClassification

BertForSequenceClassification(BertConfig(num_hidden_layers=1)).save_pretrained("trained")
first = BertForSequenceClassification.from_pretrained("trained")
again = BertForSequenceClassification.from_pretrained("trained")
assert first.classifier.weight.equal(again.classifier.weight)
```

Message (transformers 4.46; `classifier.bias`):

```text
Some weights of BertForSequenceClassification were not initialized from the model checkpoint at bert-base-uncased and are newly initialized: ['classifier.bias', 'classifier.weight']
You should probably TRAIN this model on a down-stream task to be able to use it for predictions and inference.
```

Message (transformers 4.46; `bert.encoder.layer.0.attention.self.query.bias`):

```text
Some weights of BertModel were not initialized from the model checkpoint at ./out and are newly initialized: ['bert.encoder.layer.0.attention.self.query.bias', 'bert.encoder.layer.0.attention.self.query.weight', 'bert.encoder.layer.0.attention.self.key.bias', 'bert.encoder.layer.0.attention.self.key.weight', 'bert.encoder.layer.0.attention.self.value.bias']
```

Message (transformers 4.46; `torch.Size([3, 768])`):

```text
Some weights of BertForSequenceClassification were not initialized from the model checkpoint at ./out and are newly initialized because the shapes did not match:
- classifier.weight: found shape torch.Size([3, 768]) in the checkpoint and torch.Size([2, 768]) in the model instantiated
```

Message (transformers 5.23; `MISSING`):

```text
classifier.weight | MISSING |
Notes:
- MISSING:	those params were newly initialized because missing from the checkpoint. Consider training on your downstream task.
```

Bad (a head of another size):

```python
import tempfile

from transformers import BertConfig, BertForSequenceClassification

folder, small = tempfile.mkdtemp(), dict(num_hidden_layers=1, hidden_size=12, vocab_size=9)
BertForSequenceClassification(BertConfig(**small, num_labels=2)).save_pretrained(folder)
model = BertForSequenceClassification.from_pretrained(folder, num_labels=3)  # seen: MISMATCH
```

Message (transformers 3 and 4; `cls.predictions.bias`):

```text
Some weights of the model checkpoint at bert-base-uncased were not used when initializing BertForSequenceClassification: ['cls.predictions.bias', 'cls.seq_relationship.weight']
```

Message (CenterNet, FairMOT, MOTR and their kin; `[91, 256]`):

```text
Skip loading parameter class_embed.0.weight, required shapetorch.Size([1, 256]), loaded shapetorch.Size([91, 256]). If you see this, your model does not fully load the pre-trained weight. Please make sure you set the correct --num_classes for your own dataset.
```

Message (fvcore 0.1, of detectron2; `[81, 1024]`):

```text
Skip loading parameter 'roi_heads.box_predictor.cls_score.weight' to the model due to incompatible shapes: (81, 1024) in the checkpoint but (2, 1024) in the model! You might want to double check if this is expected.
```

Message (torchreid 1; `classifier.weight`):

```text
** The following layers are discarded due to unmatched keys or layer size: ['classifier.weight', 'classifier.bias']
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import transformers")


FEW = 4


@pitfall.explains(
    r"Some weights of (?P<model>\w{2,80}) were not initialized from the model checkpoint at .{1,300}? and are newly initialized: "
    r"\[(?P<names>'.{1,1500}?)(?:\]|$)",
    odds=0.9,
)
def not_in_the_file(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    says = f"`{names[0]}` is new and random: right for a head that is to be trained, and no use for predicting before"
    if len(names) > FEW:
        says = f"{len(names)} weights of {failure.groups['model']} are random, `{names[0]}` first: the names in the file are others, as of another model, or these parts are to be trained"
    yield failure.hit(says)


@pitfall.explains(
    r"newly initialized because the shapes did not match:\s(?:- )?(?P<name>[\w.]{1,200}): found shape (?P<file>torch\.Size\(\[[\d, ]*\]\)) in the "
    r"checkpoint and (?P<model>torch\.Size\(\[[\d, ]*\]\))",
    odds=0.9,
)
def of_another_shape(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key] for key in ("name", "file", "model"))
    yield failure.hit(
        f"`{name}` is {file} in the file and {model} here, so it was left out and is random: train it"
    )


@pitfall.explains(
    r"those params were newly initialized because missing from the checkpoint", odds=0.9
)
def missing_in_the_report(failure: Failure) -> Hits:
    yield failure.hit(
        "the weights called MISSING in the report are random: right for a head that is to be trained, else the names in the file are others"
    )


@pitfall.explains(
    r"weights of the model checkpoint at .{1,300}? were not used when initializing (?P<model>\w{2,80}): \[(?P<names>'.{1,1500}?)(?:\]|$)",
    odds=0.9,
)
def not_taken_from_the_file(failure: Failure) -> Hits:
    names = failure.groups["names"].split(",")
    yield failure.hit(
        f"{failure.groups['model']} has no place for {len(names)} weights of the file, `{names[0].strip(chr(39))}` first: right for a head that is left "
        "off, and where layers of its body are named, the names in the file are others"
    )


@pitfall.explains(r"You set `ignore_mismatched_sizes` to `False`, thus raising", odds=0.95)
def of_another_size_in_the_report(failure: Failure) -> Hits:
    yield failure.hit(
        "the weights called MISMATCH in the report have another shape than in the model, as with another num_labels or vocabulary: the numbers of the "
        "file, or ignore_mismatched_sizes=True, which makes these at random"
    )


@pitfall.explains(
    r"[Ss]kip loading parameter:? (?P<name>[\w.]{1,200}), required shape:? ?torch\.Size\(\[(?P<model>[\d, ]*)\]\), loaded shape:? ?torch\.Size\(\[(?P<file>[\d, ]*)\]",
    r"Skip loading parameter '(?P<name>[\w.]{1,200})' to the model due to incompatible shapes: \((?P<file>[\d, ]*)\) in the checkpoint but \((?P<model>[\d, ]*)\)",
    odds=0.9,
)
def skipped_by_the_loader(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key].rstrip(", ") for key in ("name", "file", "model"))
    yield failure.hit(
        f"`{name}` is [{file}] in the file and [{model}] here, so the loader left it out and it is random: right for a head of other classes that is to be trained, else the number of classes of the file"
    )


@pitfall.explains(
    r"[Ll]ayers (?:are )?discarded due to unmatched keys or (?:layer )?size: \[(?P<names>'.{1,1500}?)(?:\]|$)",
    odds=0.9,
)
def discarded_by_the_loader(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    yield failure.hit(
        f"`{names[0]}` and {len(names) - 1} more of the file fit nothing here and were left out: right for a head of other classes, else the names or sizes in the file are of another model"
    )
