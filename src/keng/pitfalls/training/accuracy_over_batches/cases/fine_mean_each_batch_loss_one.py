# a mean per batch; a loss; batches of one sample; only full batches, such as with `drop_last=True`
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
data = TensorDataset(torch.randn(64, 4), torch.randint(2, (64,)))
loader, single = DataLoader(data, batch_size=16), DataLoader(data)
accuracy = total = hits = count = 0.0
with torch.no_grad():
    for x, y in loader:
        accuracy += (model(x).argmax(1) == y).float().mean().item()
        total += nn.functional.cross_entropy(model(x), y).item()
        count += (model(x).argmax(1) == y).sum().item() / len(y)
    for x, y in single:
        hits += (model(x).argmax(1) == y).sum().item()
print(accuracy / len(loader), total / len(loader), count / len(loader), hits / len(single))
rows = TensorDataset(torch.randn(70, 4), torch.randint(2, (70,)))
whole, correct, right = DataLoader(rows, batch_size=16, drop_last=True), 0, 0
with torch.no_grad():
    for x, y in whole:
        correct += (model(x).argmax(1) == y).sum().item()
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
print(correct / (len(whole) * whole.batch_size), right / (16 * len(loader)))
