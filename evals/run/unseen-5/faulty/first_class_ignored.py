"""`ignore_index=0` was kept from a language model; here 0 is a class like the others."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn

CONFIG = {"lr": 0.02, "epochs": 80, "loss": {"ignore_index": 0}}

torch.manual_seed(0)
iris = load_iris()
x = torch.tensor(iris.data).float()
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(iris.target)
order = torch.randperm(len(x))
train, test = order[:120], order[120:]

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
loss_fn = nn.CrossEntropyLoss(**CONFIG["loss"])
optimizer = torch.optim.Adam(model.parameters(), lr=CONFIG["lr"])
for epoch in range(CONFIG["epochs"]):
    model.train()
    loss = loss_fn(model(x[train]), y[train])  # run: -
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        model.eval()
        with torch.inference_mode():
            right = (model(x[test]).argmax(1) == y[test]).float().mean().item()
        print(epoch, f"{loss.item():.3f} {right:.3f}")
show(model)
