"""A label for each word, padding left out of the loss."""

import tiny
import torch
from datasets import Dataset
from transformers import BertConfig, BertForTokenClassification, DataCollatorForTokenClassification, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
texts = tiny.sentences()
rows = [tokenizer(text) for text in texts]
labels = [[int(word in "dog cat bird fish".split()) for word in text.split()] for text in texts]
data = Dataset.from_dict({
    "input_ids": [row["input_ids"] for row in rows],
    "attention_mask": [row["attention_mask"] for row in rows],
    "labels": labels,
})
model = BertForTokenClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=2))
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(weight_decay=0.01)),
    train_dataset=data,
    data_collator=DataCollatorForTokenClassification(tokenizer),
))
