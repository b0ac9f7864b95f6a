import gc
import os
import random

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, Dataset
from transformers import AutoConfig, AutoModel, get_cosine_schedule_with_warmup

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class CFG:
    model = "microsoft/deberta-v3-base"
    epochs, batch_size, n_accumulate, max_grad_norm, n_fold, seed = 3, 8, 2, 1.0, 4, 42
    encoder_lr, decoder_lr, weight_decay, apex = 2e-5, 1e-4, 0.01, True


def seed_everything(seed):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True


class TrainDataset(Dataset):
    def __init__(self, df):
        self.ids, self.masks = np.stack(df["ids"].values), np.stack(df["mask"].values)
        self.labels = df["label"].values.astype("float32")

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, item):
        inputs = {"input_ids": torch.tensor(self.ids[item]), "attention_mask": torch.tensor(self.masks[item])}
        return inputs, torch.tensor(self.labels[item])


class CustomModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.config = AutoConfig.from_pretrained(cfg.model, output_hidden_states=True)
        self.model = AutoModel.from_pretrained(cfg.model, config=self.config)
        self.attention = nn.Sequential(nn.Linear(768, 512), nn.Tanh(), nn.Linear(512, 1), nn.Softmax(dim=1))
        self.fc = nn.Linear(768, 1)

    def forward(self, inputs):
        last_hidden_states = self.model(**inputs)[0]
        weights = self.attention(last_hidden_states)
        return self.fc(torch.sum(weights * last_hidden_states, dim=1))


def get_optimizer_params(model, cfg):
    no_decay = ["bias", "LayerNorm.bias", "LayerNorm.weight"]
    named = list(model.model.named_parameters())
    return [
        {"params": [p for n, p in named if not any(k in n for k in no_decay)], "lr": cfg.encoder_lr, "weight_decay": 0.01},
        {"params": [p for n, p in named if any(k in n for k in no_decay)], "lr": cfg.encoder_lr, "weight_decay": 0.0},
        {"params": [p for n, p in model.named_parameters() if "model" not in n], "lr": cfg.decoder_lr},
    ]


def train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler):
    model.train()
    scaler = GradScaler("cuda", enabled=CFG.apex)
    running, seen = 0.0, 0
    for step, (inputs, labels) in enumerate(train_loader):
        inputs = {k: v.to(device) for k, v in inputs.items()}
        labels = labels.to(device)
        with autocast("cuda", enabled=CFG.apex):
            y_preds = model(inputs)
            loss = criterion(y_preds.view(-1), labels)
        if CFG.n_accumulate > 1:
            loss = loss / CFG.n_accumulate
        scaler.scale(loss).backward()
        running += loss.item() * CFG.n_accumulate * labels.size(0)
        seen += labels.size(0)
        if (step + 1) % CFG.n_accumulate == 0 or step + 1 == len(train_loader):
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            scheduler.step()
    return running / seen


@torch.no_grad()
def valid_fn(valid_loader, model, criterion):
    model.eval()
    preds, losses = [], []
    for inputs, labels in valid_loader:
        inputs = {k: v.to(device) for k, v in inputs.items()}
        y_preds = model(inputs).view(-1)
        losses.append(criterion(y_preds, labels.to(device)))
        preds.append(y_preds.sigmoid().cpu().numpy())
    return torch.stack(losses).mean().item(), np.concatenate(preds)


def train_loop(folds, fold):
    train_folds = folds[folds.fold != fold].reset_index(drop=True)
    valid_folds = folds[folds.fold == fold].reset_index(drop=True)
    train_loader = DataLoader(
        TrainDataset(train_folds), CFG.batch_size, shuffle=True, num_workers=4, pin_memory=True, drop_last=True
    )
    valid_loader = DataLoader(TrainDataset(valid_folds), CFG.batch_size * 2, num_workers=4, pin_memory=True)
    model = CustomModel(CFG).to(device)
    optimizer = torch.optim.AdamW(get_optimizer_params(model, CFG), lr=CFG.encoder_lr)
    steps = len(train_loader) // CFG.n_accumulate * CFG.epochs
    scheduler = get_cosine_schedule_with_warmup(optimizer, int(0.1 * steps), steps)
    criterion = nn.BCEWithLogitsLoss(reduction="mean")
    best = 0.0
    for epoch in range(CFG.epochs):
        avg_loss = train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler)
        avg_val_loss, predictions = valid_fn(valid_loader, model, criterion)
        score = roc_auc_score(valid_folds["label"], predictions)
        print(f"fold {fold} epoch {epoch + 1}: {avg_loss:.4f} {avg_val_loss:.4f} auc {score:.4f}")
        if best < score:
            best = score
            torch.save({"model": model.state_dict(), "predictions": torch.from_numpy(predictions)}, f"fold{fold}.pth")
    state = torch.load(f"fold{fold}.pth", map_location="cpu", weights_only=True)
    valid_folds["pred"] = state["predictions"].numpy()
    del model, optimizer
    torch.cuda.empty_cache()
    gc.collect()
    return valid_folds


if __name__ == "__main__":
    seed_everything(CFG.seed)
    train = pd.read_parquet("train.parquet")
    for n, (_, index) in enumerate(GroupKFold(CFG.n_fold).split(train, groups=train["group"])):
        train.loc[index, "fold"] = n
    pd.concat([train_loop(train, fold) for fold in range(CFG.n_fold)]).to_csv("oof.csv")
