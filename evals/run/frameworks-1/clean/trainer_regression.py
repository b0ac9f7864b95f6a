"""One number for each sentence: its share of animals."""

import tiny
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, DataCollatorWithPadding, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
texts = tiny.sentences(64)
labels = [sum(w in "dog cat bird fish".split() for w in t.split()) / len(t.split()) for t in texts]
data = Dataset.from_dict({"text": texts, "labels": labels})
data = data.map(lambda row: tokenizer(row["text"]), remove_columns=["text"]).train_test_split(0.25, seed=0)

model = BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=1, problem_type="regression"))
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(eval_strategy="epoch")),
    train_dataset=data["train"],
    eval_dataset=data["test"],
    data_collator=DataCollatorWithPadding(tokenizer),
))
