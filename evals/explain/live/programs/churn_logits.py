import pandas as pd
import torch
from torch import nn

table = pd.DataFrame({"age": [22, 35, 58, 41] * 10, "calls": [3, 9, 1, 4] * 10, "churn": [0, 1, 0, 1] * 10})
x = torch.tensor(table[["age", "calls"]].values, dtype=torch.float32)
y = torch.tensor(table["churn"].values, dtype=torch.float32)

net = nn.Sequential(
    nn.BatchNorm1d(2),
    nn.Linear(2, 32),
    nn.ReLU(),
    nn.Linear(32, 1),
)
loss_fn = nn.BCEWithLogitsLoss()
opt = torch.optim.AdamW(net.parameters())
for epoch in range(5):
    logits = net(x)
    loss = loss_fn(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
