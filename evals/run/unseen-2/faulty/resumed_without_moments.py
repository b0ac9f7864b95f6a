"""A run that is resumed loads weights and epoch, and leaves the optimizer's moments in the file."""

import os
import tempfile

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


def build():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(13, 32), nn.SiLU(), nn.Linear(32, 3))
    return model, torch.optim.Adam(model.parameters(), lr=3e-3)


def save(path, model, optimizer, epoch):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    torch.save(state, path)


def train(path, until):
    model, optimizer = build()
    begin = 0
    if os.path.exists(path):
        state = torch.load(path, weights_only=True)  # run: resume-incomplete
        model.load_state_dict(state["model"])  # run: resume-incomplete
        begin = state["epoch"]
    for epoch in range(begin, until):
        for part in torch.randperm(len(x)).split(30):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[part]), y[part]).backward()
            optimizer.step()  # run: resume-incomplete
    save(path, model, optimizer, until)
    return model


x, y = (torch.tensor(part) for part in load_wine(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "last.pt")
    train(path, 4)
    model = train(path, 8)
show(model)
