"""Groups of two rates and a one-cycle schedule, as long as the training."""

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
head = list(model.classifier.parameters())
body = [p for p in model.parameters() if all(p is not q for q in head)]
optimizer = torch.optim.AdamW([{"params": body, "lr": 5e-4}, {"params": head, "lr": 5e-3}])
steps = 3 * (len(data["train"]) // 8)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [5e-4, 5e-3], total_steps=steps)
tiny.train(Trainer(
    model=model,
    args=TrainingArguments(**tiny.arguments(num_train_epochs=3)),
    train_dataset=data["train"],
    data_collator=DataCollatorWithPadding(tokenizer),
    optimizers=(optimizer, schedule),
))
