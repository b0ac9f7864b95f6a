import numpy as np
import pandas as pd
import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModel, AutoTokenizer, Trainer, TrainingArguments

MODEL_NAME = "bert-base-uncased"
tokenizer = AutoTokenizer.from_pretrained(MODEL_NAME)


class ToxicDataset(Dataset):
    def __init__(self, df, max_len=128):
        self.enc = tokenizer(list(df.text), truncation=True, padding="max_length", max_length=max_len, return_tensors="pt")
        self.labels = torch.tensor(df.label.values)

    def __getitem__(self, idx):
        item = {k: torch.tensor(v[idx]) for k, v in self.enc.items()}  # check: tensor-copied-by-constructor
        item["labels"] = torch.tensor(self.labels[idx])  # check: tensor-copied-by-constructor
        return item

    def __len__(self):
        return len(self.labels)


class ToxicModel(nn.Module):
    def __init__(self, num_labels=2):
        super().__init__()
        self.bert = AutoModel.from_pretrained(MODEL_NAME)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(self.bert.config.hidden_size, num_labels)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, input_ids, attention_mask, token_type_ids=None, labels=None):
        pooled = self.bert(input_ids=input_ids, attention_mask=attention_mask).pooler_output  # check: argument-ignored
        logits = self.softmax(self.out(self.drop(pooled)))
        loss = None
        if labels is not None:
            loss_fct = nn.CrossEntropyLoss()
            loss = loss_fct(logits, labels)  # check: softmax-before-cross-entropy
        return {"loss": loss, "logits": logits}


class WeightedTrainer(Trainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.history = []

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        probs = torch.softmax(outputs["logits"], dim=-1)
        weight = torch.tensor([1.0, 3.0], device=labels.device)
        loss = nn.functional.cross_entropy(probs, labels, weight=weight)  # check: softmax-before-cross-entropy
        self.history.append(loss)  # check: loss-keeps-graph
        return (loss, outputs) if return_outputs else loss


def compute_metrics(p):
    preds = np.argmax(p.predictions, axis=1)
    return {"f1": f1_score(p.label_ids, preds)}


df = pd.read_csv("train.csv")
train_ds, val_ds = ToxicDataset(df[:8000]), ToxicDataset(df[8000:])
args = TrainingArguments(
    output_dir="out", num_train_epochs=3, per_device_train_batch_size=16, eval_strategy="epoch", fp16=True
)
model = ToxicModel()
trainer = WeightedTrainer(
    model=model, args=args, train_dataset=train_ds, eval_dataset=val_ds, compute_metrics=compute_metrics
)
trainer.train()
torch.save(model.state_dict(), "toxic.bin")

best = ToxicModel()
missing = best.load_state_dict(torch.load("toxic.bin"), strict=False)  # check: strict-false-hides
best.cuda()
all_preds = []
for batch in DataLoader(val_ds, batch_size=32):
    batch = {k: v.cuda() for k, v in batch.items()}
    logits = best(batch["input_ids"], batch["attention_mask"])["logits"]  # check: eval-mode-missing; validation-records-gradients
    all_preds.append(logits)
preds = torch.cat(all_preds).argmax(1).cpu().numpy()
print(f1_score(df[8000:].label, preds))
