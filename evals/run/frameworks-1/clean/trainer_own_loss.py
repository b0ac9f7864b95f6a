"""A loss of one's own that divides by the number of targets of the whole step."""

import tiny
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, DataCollatorWithPadding, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
texts = tiny.sentences(64)
labels = [int("dog" in text or "cat" in text) for text in texts]
data = Dataset.from_dict({"text": texts, "labels": labels})
data = data.map(lambda row: tokenizer(row["text"]), remove_columns=["text"]).train_test_split(0.25, seed=0)

model = BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=2))


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        weight = torch.tensor([1.0, 1.5])
        losses = torch.nn.functional.cross_entropy(outputs.logits, labels, weight=weight, reduction="sum")
        count = num_items_in_batch if num_items_in_batch is not None else labels.numel()
        loss = losses / count
        return (loss, outputs) if return_outputs else loss


tiny.train(Weighted(
    model=model,
    args=TrainingArguments(**tiny.arguments(gradient_accumulation_steps=2, num_train_epochs=4)),
    train_dataset=data["train"],
    eval_dataset=data["test"],
    data_collator=DataCollatorWithPadding(tokenizer),
))
