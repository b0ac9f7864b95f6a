import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import AutoModelForSequenceClassification, HfArgumentParser, Trainer, TrainerCallback, TrainingArguments


@dataclass
class Options:
    model: str = "distilbert-base-uncased"
    weights: list = field(default_factory=lambda: [1.0, 4.0])
    beta: float = 0.1


class WeightedLossMixin:
    def __init__(self, *args, class_weights, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = torch.tensor(class_weights)

    def classification(self, logits, labels):
        weight = self.class_weights.to(logits.device, logits.dtype)
        return F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1), weight=weight)


class AnchoredTrainer(WeightedLossMixin, Trainer):
    """Stays near the model that it began from."""

    def __init__(self, *args, beta=0.1, **kwargs):
        super().__init__(*args, **kwargs)
        self.beta = beta
        self.anchor = copy.deepcopy(self.model).eval().requires_grad_(False)
        self.seen = []

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        with torch.no_grad():
            anchor = self.anchor(**inputs).logits
        loss = self.classification(outputs.logits, labels)
        near = F.kl_div(outputs.logits.log_softmax(-1), anchor.log_softmax(-1), log_target=True, reduction="batchmean")
        self.seen.append(near.item())
        loss = loss + self.beta * near
        return (loss, outputs) if return_outputs else loss

    def log(self, logs, *args, **kwargs):
        if self.seen:
            logs["near"] = sum(self.seen) / len(self.seen)
            self.seen.clear()
        super().log(logs, *args, **kwargs)


class Unfreeze(TrainerCallback):
    def on_epoch_begin(self, args, state, control, model=None, **kwargs):
        for p in model.base_model.parameters():
            p.requires_grad = state.epoch >= 1


def main(train_set, eval_set):
    options, training = HfArgumentParser((Options, TrainingArguments)).parse_args_into_dataclasses()
    model = AutoModelForSequenceClassification.from_pretrained(options.model, num_labels=2)
    model.pre_classifier = nn.Linear(model.config.dim, model.config.dim)
    trainer = AnchoredTrainer(
        model=model,
        args=training,
        train_dataset=train_set,
        eval_dataset=eval_set,
        callbacks=[Unfreeze()],
        class_weights=options.weights,
        beta=options.beta,
    )
    trainer.train(resume_from_checkpoint=training.resume_from_checkpoint)
    trainer.save_model()
    trainer.evaluate()
