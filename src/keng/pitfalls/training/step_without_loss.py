r"""A trainer's step gives it no loss to go backward from.

A trainer calls `backward` itself, on what the step returns. Lightning takes a tensor, or a dict with the key `loss`, from
`training_step`; a Trainer of Transformers takes `outputs.loss`, which a model computes only where it is given `labels` under a
name that its forward has. A head-less model has no loss at all.

Cure: `return loss` in the step; `labels` in every batch, by a model with a head (`AutoModelFor...`), or `compute_loss` of one's own.

Bad:

```python
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("loss", loss)
        return {"train_loss": loss}

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), data)
```

Good:

```python
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), data)
```

Message (transformers; `labels`):

```text
ValueError: The model did not return a loss from the inputs, only the following keys: logits. For reference, the inputs it received are input_ids,attention_mask.
```

Message (transformers, of a model of one's own; `computes none`):

```text
ValueError: The model did not return a loss from the inputs, only the following keys: logits. For reference, the inputs it received are input_ids,attention_mask,labels.
```

Message (transformers; `another name`):

```text
ValueError: The model did not return a loss from the inputs, only the following keys: logits. For reference, the inputs it received are input_ids,attention_mask,label.
```

Message (Lightning 1 to 2; `loss`):

```text
MisconfigurationException: In automatic_optimization, when `training_step` returns a dict, the 'loss' key needs to be present
```

Message (Lightning 1 to 2):

```text
MisconfigurationException: In automatic_optimization, `training_step` must return a Tensor, a dict, or None (where the step will be skipped).
```

Message (Lightning 2.4):

```text
MisconfigurationException: In automatic optimization, `training_step` must return a Tensor, a dict, or None (where the step will be skipped).
```

Message (Lightning 1 to 2; `optimizer_step`):

```text
MisconfigurationException: The closure hasn't been executed. HINT: did you call `optimizer_closure()` in your `optimizer_step` hook? It could also happen because the `optimizer.step(optimizer_closure)` call did not execute it internally.
```

Message (Lightning 2; `every process`):

```text
RuntimeError: Skipping the `training_step` by returning None in distributed training is not supported. It is recommended that you rewrite your training logic to avoid having to skip the step in the first place.
```

Message (transformers 4 and 5; `BertModel`):

```text
ValueError: The model you have picked (BertModel) cannot be used as is for training: it only computes hidden states and does not accept any labels. You should choose a model with a head suitable for your task like any of the `AutoModelForXxx` listed at https://huggingface.co/docs/transformers/model_doc/auto.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


@pitfall.explains(
    r"model did not return a loss from the inputs, only the following keys: (?P<keys>[\w,. ]{1,200}?)\. For reference, the inputs "
    r"it received are (?P<given>[\w, ]{0,300})",
    odds=0.96,
)
def no_labels(failure: Failure) -> Hits:
    keys, given = failure.groups["keys"], failure.groups["given"].replace(",", ", ")
    cure = "add `labels` to the batch, or use a model with a head"
    if "labels" in given.split(", "):
        cure = "its forward computes none of `labels`: return it as `loss`, or Trainer(compute_loss_func=...)"
    elif "label" in given:
        cure = "its forward takes them by another name, `labels` as a rule"
    yield failure.hit(f"the model gets {given} and returns {keys} without a loss: {cure}")


@pitfall.explains(
    r"[Ii]n automatic[_ ]optimization, (?:when )?`training_step` (?P<what>returns a dict|must return a Tensor)",
    odds=0.96,
)
def returned_otherwise(failure: Failure) -> Hits:
    says = "training_step returns no tensor, dict or None: return the loss itself"
    if "dict" in failure.groups["what"]:
        says = "the dict that training_step returns has no key `loss`"
    yield failure.hit(says)


@pitfall.explains(r"The closure hasn't been executed", odds=0.93)
def closure_not_called(failure: Failure) -> Hits:
    yield failure.hit(
        "the step runs inside the closure that optimizer_step hands on: optimizer.step(closure=optimizer_closure), and an "
        "optimizer that calls it"
    )


@pitfall.explains(r"Skipping the `training_step` by returning None in distributed", odds=0.96)
def skipped_on_one_rank(failure: Failure) -> Hits:
    yield failure.hit(
        "a step is left out by one process, and every process waits for its gradients: return a loss times 0 instead of None"
    )


@pitfall.explains(
    r"model you have picked \((?P<kind>\w{1,80})\) cannot be used as is for training", odds=0.97
)
def no_head(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} gives hidden states and no loss: a class with a head for the task, as AutoModelForSequenceClassification"
    )
