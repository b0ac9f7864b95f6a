"""Label smoothing, groups by length, a step limit."""

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
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(label_smoothing_factor=0.1, weight_decay=0.1, max_grad_norm=0.5,
                                            max_steps=14, lr_scheduler_type="polynomial")),
    train_dataset=data["train"],
    data_collator=DataCollatorWithPadding(tokenizer),
))
