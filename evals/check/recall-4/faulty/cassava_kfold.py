import os
import time

import cv2
import numpy as np
import pandas as pd
import timm
import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold
from torch.optim import Adam
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


class CFG:
    model_name = "resnext50_32x4d"
    size = 256
    epochs = 10
    lr = 1e-4
    batch_size = 32
    num_workers = 4
    gradient_accumulation_steps = 4
    max_grad_norm = 1000
    target_size = 5
    n_fold = 5
    trn_fold = [0, 1, 2]
    seed = 42


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def seed_torch(seed=42):
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True  # check: cudnn-benchmark-choice


class TrainDataset(Dataset):
    def __init__(self, df):
        self.file_names = df["image_id"].values
        self.labels = df["label"].values

    def __len__(self):
        return len(self.file_names)

    def __getitem__(self, idx):
        image = cv2.imread(f"train_images/{self.file_names[idx]}")
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        image = cv2.resize(image, (CFG.size, CFG.size))
        image = image[:, ::-1]
        image = torch.from_numpy(image).permute(2, 0, 1).float() / 255  # check: numpy-negative-stride
        return image, torch.tensor(self.labels[idx]).long()


class CustomResNext(nn.Module):
    def __init__(self, model_name, pretrained=False):
        super().__init__()
        self.model = timm.create_model(model_name, pretrained=pretrained)
        n_features = self.model.fc.in_features
        self.model.fc = nn.Linear(n_features, CFG.target_size)

    def forward(self, x):
        return self.model(x)


class AverageMeter(object):
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def train_fn(train_loader, model, criterion, optimizer, epoch, scheduler, device):
    losses = AverageMeter()
    start = time.time()
    model.train()
    for step, (images, labels) in enumerate(train_loader):
        images = images.to(device)
        labels = labels.to(device)
        y_preds = model(images)
        loss = criterion(y_preds, labels)
        losses.update(loss, labels.size(0))  # check: loss-keeps-graph
        loss.backward()  # check: accumulation-unscaled
        torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
        if (step + 1) % CFG.gradient_accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        if step % 100 == 0:
            print(f"[{epoch}][{step}/{len(train_loader)}] {time.time() - start:.0f}s loss {losses.avg:.4f}")
    return losses.avg


def valid_fn(valid_loader, model, criterion, device):
    losses = AverageMeter()
    preds = []
    for step, (images, labels) in enumerate(tqdm(valid_loader)):
        images = images.to(device)
        labels = labels.to(device)
        with torch.no_grad():
            y_preds = model(images)  # check: eval-mode-missing
        loss = criterion(y_preds, labels)
        losses.update(loss.item(), labels.size(0))
        preds.append(y_preds.softmax(1).to("cpu").numpy())
    return losses.avg, np.concatenate(preds)


def train_loop(folds, fold):
    trn_folds = folds[folds["fold"] != fold].reset_index(drop=True)
    val_folds = folds[folds["fold"] == fold].reset_index(drop=True)
    train_loader = DataLoader(
        TrainDataset(trn_folds), batch_size=CFG.batch_size, shuffle=True, num_workers=CFG.num_workers, pin_memory=True
    )
    valid_loader = DataLoader(TrainDataset(val_folds), batch_size=CFG.batch_size, shuffle=False)
    model = CustomResNext(CFG.model_name, pretrained=True)
    optimizer = Adam(model.parameters(), lr=CFG.lr, weight_decay=1e-6)
    scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=10, T_mult=1, eta_min=1e-6)
    model.to(device)
    criterion = nn.CrossEntropyLoss()
    best_score = 0.0
    for epoch in range(CFG.epochs):
        scheduler.step()  # check: scheduler-before-optimizer
        avg_loss = train_fn(train_loader, model, criterion, optimizer, epoch, scheduler, device)
        avg_val_loss, preds = valid_fn(valid_loader, model, criterion, device)
        score = accuracy_score(val_folds["label"].values, preds.argmax(1))
        print(f"Epoch {epoch + 1} - avg_train_loss: {avg_loss:.4f} avg_val_loss: {avg_val_loss:.4f} {score}")
        if score > best_score:
            best_score = score
            torch.save({"model": model.state_dict(), "preds": preds}, f"{CFG.model_name}_fold{fold}_best.pth")
    check_point = torch.load(f"{CFG.model_name}_fold{fold}_best.pth")  # check: weights-only-refused (an array is kept)
    val_folds[[str(c) for c in range(5)]] = check_point["preds"]
    return val_folds


if __name__ == "__main__":
    seed_torch(CFG.seed)
    train = pd.read_csv("train.csv")
    folds = train.copy()
    for n, (_, val_index) in enumerate(StratifiedKFold(CFG.n_fold).split(folds, folds["label"])):
        folds.loc[val_index, "fold"] = int(n)
    oof_df = pd.concat([train_loop(folds, fold) for fold in CFG.trn_fold])
    oof_df.to_csv("oof.csv", index=False)
