# outputs of a teacher, in the order of another pass
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 6)), batch_size=16, shuffle=True)
teacher, student = nn.Linear(6, 3), nn.Linear(6, 3)
optimizer = torch.optim.Adam(student.parameters())
with torch.no_grad():
    wanted = [teacher(x) for (x,) in loader]
for epoch in range(4):
    for i, (x,) in enumerate(loader):
        y = wanted[i]
        loss = nn.functional.mse_loss(student(x), y)  # run: `y` does not belong to the rows of `x`
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
