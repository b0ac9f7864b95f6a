# over the classes; one sample; scores with the classes first; compared with something else; sample by sample
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 4)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
best = torch.zeros(4, dtype=torch.long)
for x, y in DataLoader(data, batch_size=4):
    output = model(x)
    hits = (output.argmax(-1) == y).sum() + (torch.max(output, 1)[1] == y).sum()
    first = output[0].argmax(0) == y[0]
    turned = output.t().argmax(0) == y
    values = output.max(0).values == y
    same = output.argmax(0) == best
for x, y in data:
    told = model(x).argmax(0) == y
