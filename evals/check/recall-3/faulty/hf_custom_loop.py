"""NER with a custom loop, then the same with a Trainer subclass."""
import warnings
from functools import partial

import numpy as np
import torch
from datasets import load_dataset
from torch import nn
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    Trainer,
    TrainingArguments,
    get_linear_schedule_with_warmup,
)

NAME = "distilbert-base-cased"


def encode(batch, tokenizer):
    out = tokenizer(batch["tokens"], truncation=True, is_split_into_words=True)
    out["labels"] = [
        [-100 if w is None else tags[w] for w in out.word_ids(i)] for i, tags in enumerate(batch["ner_tags"])
    ]
    return out


def freeze(model, layers=4):
    for param in model.distilbert.embeddings.parameters():
        param.requires_grad_ = False  # check: require-grad-typo
    for layer in model.distilbert.transformer.layer[:layers]:
        layer.requires_grad = False  # check: require-grad-typo (a module has no such switch)


def custom_loop(model, train, valid, collate, epochs=3, device="cuda"):
    model.to(device)
    optimizer = AdamW(model.parameters(), lr=5e-5)
    train_loader = DataLoader(train, 16, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(valid, 32, collate_fn=collate)
    scheduler = get_linear_schedule_with_warmup(optimizer, 100, epochs * len(train_loader))
    for epoch in range(epochs):
        model.train()
        for batch in train_loader:
            batch = {k: v.to(device) for k, v in batch.items()}
            loss = model(**batch).loss
            loss.backward()
            optimizer.step()  # check: zero-grad-missing
        scheduler.step()  # check: scheduler-before-optimizer (a schedule counted in batches, stepped once an epoch)
        model.eval()
        right = total = 0
        for batch in valid_loader:  # check: validation-records-gradients
            batch.to(device)
            logits = model(**batch).logits
            keep = batch["labels"] != -100
            right += (logits.argmax(-1)[keep] == batch["labels"][keep]).sum().item()
            total += keep.sum().item()
        print(epoch, right / total)


class WeightedTrainer(Trainer):
    def __init__(self, *args, weights=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.weights = weights

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        criterion = nn.CrossEntropyLoss(weight=self.weights, ignore_index=-100)
        loss = criterion(outputs.logits.view(-1, model.config.num_labels), labels.view(-1))
        return (loss, outputs) if return_outputs else loss


def main():
    raw = load_dataset("conll2003")
    tokenizer = AutoTokenizer.from_pretrained(NAME)
    data = raw.map(partial(encode, tokenizer=tokenizer), batched=True, remove_columns=raw["train"].column_names)
    collate = DataCollatorForTokenClassification(tokenizer)
    model = AutoModelForTokenClassification.from_pretrained(NAME, num_labels=9)
    freeze(model)
    custom_loop(model, data["train"], data["validation"], collate)
    args = TrainingArguments("out", per_device_train_batch_size=16, num_train_epochs=1)
    WeightedTrainer(model=model, args=args, train_dataset=data["train"], data_collator=collate).train()


if __name__ == "__main__":
    main()
