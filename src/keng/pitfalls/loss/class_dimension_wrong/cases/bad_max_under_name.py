# by `max`, under a name
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, hits = nn.Linear(4, 4), []
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for step, batch in enumerate(DataLoader(data, batch_size=4, shuffle=True)):
    x, y = batch
    x, y = x.to("cpu"), y.to("cpu")
    _, predicted = torch.max(model(x), 0)  # check: the samples
    hits.append(predicted.eq(y).float().mean())

# proof
assert sum(hits) / len(hits) < 0.8
