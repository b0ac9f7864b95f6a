# the class is chosen along the samples of a batch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, correct = nn.Linear(4, 4), 0
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for x, y in DataLoader(data, batch_size=4, shuffle=True):
    output = model(x)
    correct += (output.argmax(0) == y).sum().item()  # check: the samples

# proof
assert correct < 24 and all((model(x).argmax(1) == y).all() for x, y in DataLoader(data))
