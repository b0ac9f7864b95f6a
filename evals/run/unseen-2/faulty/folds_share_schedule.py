"""Each fold has its weights and optimizer set back, but the schedule goes on to nothing."""

import copy

import torch
from digest import show
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold
from torch import nn

torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_wine(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
begun = copy.deepcopy(model.state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=30)
scores = []
for seen, held in StratifiedKFold(5, shuffle=True, random_state=0).split(x, y):
    model.load_state_dict(begun)
    optimizer.state.clear()
    model.train()
    for epoch in range(6):
        for part in torch.randperm(len(seen)).split(30):
            rows = torch.as_tensor(seen)[part]
            loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # run: learning-rate-vanished
            schedule.step()  # run: learning-rate-vanished
    model.eval()
    with torch.no_grad():
        scores.append((model(x[held]).argmax(1) == y[held]).float().mean().item())
print([round(score, 3) for score in scores])
show(model)
