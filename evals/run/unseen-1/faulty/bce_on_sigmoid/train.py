"""A tower gives probabilities, and the objective takes raw outputs."""

import torch
from digest import show
from sklearn.datasets import make_multilabel_classification
from torch.utils.data import DataLoader, TensorDataset

from bce_on_sigmoid.nets import Tower
from bce_on_sigmoid.objective import Objective

torch.manual_seed(0)
rows, tags = make_multilabel_classification(400, 12, n_classes=4, random_state=0)
rows, tags = torch.tensor(rows).float() / 10, torch.tensor(tags).float()
model = Tower(12, 4)
objective = Objective(torch.full((4,), 1.5))
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for epoch in range(4):
    total = 0.0
    for batch in DataLoader(TensorDataset(rows, tags), batch_size=50, shuffle=True):
        optimizer.zero_grad(set_to_none=True)
        loss = objective(batch, model)
        loss.backward()
        optimizer.step()
        total += float(loss)
    print(epoch, round(total, 4))
show(model)
