# pinned by hand; options from elsewhere; a wait before the copy is read
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
settings = {"pin_memory": torch.cuda.is_available()}
data = TensorDataset(torch.randn(64, 8))
for (x,) in DataLoader(data, batch_size=8, **settings):
    x = x.to(device, non_blocking=True)
for (x,) in DataLoader(data, batch_size=8):
    if torch.cuda.is_available():
        x = x.pin_memory()
    x = x.to(device, non_blocking=True)
for (x,) in DataLoader(data, batch_size=8):
    x = x.to(device, non_blocking=False)
y = x.to("cpu", non_blocking=True)
if torch.cuda.is_available():
    torch.cuda.synchronize()
values = y.numpy()
