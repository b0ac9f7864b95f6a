import os
import numpy as np
import torch
from torch import nn
from transformers import (AutoModelForTokenClassification, AutoTokenizer, DataCollatorForTokenClassification,
                          Trainer, TrainingArguments)

if torch.cuda.is_available():
    torch.cuda.empty_cache()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # check: cuda-visible-devices-set-late

import warnings
warnings.filterwarnings("ignore")  # check: warnings-silenced


class WeightedTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kw):
        labels = inputs.pop("labels")
        out = model(**inputs)
        probs = out.logits.softmax(-1)
        weight = torch.tensor([0.2, 1.0, 1.0], device=probs.device)
        loss = nn.CrossEntropyLoss(weight=weight)(probs.view(-1, 3), labels.view(-1))  # check: softmax-before-cross-entropy
        return (loss, out) if return_outputs else loss


def metrics(p):
    pred = np.argmax(p.predictions, axis=-1)
    keep = p.label_ids != -100
    return {"acc": float((pred == p.label_ids)[keep].mean())}


def train(ds, name="bert-base-cased"):
    tok = AutoTokenizer.from_pretrained(name)
    model = AutoModelForTokenClassification.from_pretrained(name, num_labels=3)
    for p in model.bert.parameters():
        p.require_grad = False  # check: require-grad-typo
    args = TrainingArguments("out", learning_rate=2e-5, num_train_epochs=3)
    trainer = WeightedTrainer(model, args, train_dataset=ds["train"], eval_dataset=ds["dev"],
                              data_collator=DataCollatorForTokenClassification(tok), compute_metrics=metrics)
    trainer.train()
    torch.save(model, "ner.bin")  # check: whole-model-pickled
