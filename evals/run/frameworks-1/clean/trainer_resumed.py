"""Trains an epoch, and two more from its checkpoint."""

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

where = tiny.folder()


def trainer(epochs):
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=2))
    return Trainer(
        model=model,
        args=TrainingArguments(**tiny.arguments(output_dir=where, num_train_epochs=epochs, save_strategy="epoch",
                                                lr_scheduler_type="constant")),
        train_dataset=data["train"],
        data_collator=DataCollatorWithPadding(tokenizer),
    )


tiny.train(trainer(1))
tiny.train(trainer(3), resume_from_checkpoint=True)
