# in percent
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
test_loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(2, (64,))), batch_size=16)
hits = 0
with torch.no_grad():
    for i, (x, y) in enumerate(test_loader):
        hits += model(x).argmax(1).eq(y).float().sum()
percent = 100.0 * hits / len(test_loader)  # check: of 64 samples

# proof
assert percent > 100
