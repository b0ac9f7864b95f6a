# the initial state is loaded for each fold; features of a model that is not trained; only one fold
import copy

import torch
from sklearn.model_selection import KFold
from torch import nn

x, y = torch.randn(60, 20), torch.randint(2, (60,))
criterion, features = nn.CrossEntropyLoss(), nn.Linear(20, 8).requires_grad_(False)
model = nn.Linear(20, 2)
initial = copy.deepcopy(model.state_dict())
for train, val in KFold(5).split(x):
    model.load_state_dict(initial)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        criterion(model(x[train]), y[train]).backward()
        optimizer.step()
for train, val in KFold(5).split(x):
    head = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        criterion(head(features(x[train])), y[train]).backward()
        optimizer.step()
single = nn.Linear(20, 2)
optimizer = torch.optim.Adam(single.parameters(), lr=0.01)
for train, val in KFold(5).split(x):
    for _ in range(2):
        optimizer.zero_grad()
        criterion(single(x[train]), y[train]).backward()
        optimizer.step()
    break
