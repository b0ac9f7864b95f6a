"""Stops early and takes the best weights."""

import tiny
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, DataCollatorWithPadding, EarlyStoppingCallback, Trainer, TrainingArguments

torch.manual_seed(0)
tokenizer = tiny.tokenizer()
texts = tiny.sentences(64)
labels = [int("dog" in text or "cat" in text) for text in texts]
data = Dataset.from_dict({"text": texts, "labels": labels})
data = data.map(lambda row: tokenizer(row["text"]), remove_columns=["text"]).train_test_split(0.25, seed=0)

model = BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, num_labels=2))
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(eval_strategy="epoch", save_strategy="epoch", num_train_epochs=5,
                                            load_best_model_at_end=True, metric_for_best_model="eval_loss")),
    train_dataset=data["train"],
    eval_dataset=data["test"],
    data_collator=DataCollatorWithPadding(tokenizer),
    callbacks=[EarlyStoppingCallback(early_stopping_patience=2)],
))
