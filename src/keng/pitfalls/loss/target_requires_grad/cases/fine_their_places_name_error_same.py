# arguments in the right order; by name; a symmetric error; a target that is no label
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(8, 1)
data = TensorDataset(torch.randn(32, 8), torch.randint(2, (32, 1)).float())
loader = DataLoader(data, batch_size=8)
for i, (x, y) in enumerate(loader):
    F.binary_cross_entropy_with_logits(model(x), y).backward()
    F.binary_cross_entropy_with_logits(target=y, input=model(x)).backward()
    F.mse_loss(y, model(x)).backward()
for i, batch in enumerate(loader):
    x, y = batch
    output = model(x)
    F.binary_cross_entropy_with_logits(output, y).backward()
    with torch.no_grad():
        told = torch.sigmoid(model(x))
    F.binary_cross_entropy_with_logits(model(x), told).backward()
