# the good program of the page with its training
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
