# features of a teacher; values that a mask removes from the loss
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
teacher = nn.Linear(8, 16).eval()
student = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
known = torch.rand(64, 16) < 0.5
labels = torch.where(known, torch.rand(64, 16), -100.0)
optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
for step in range(12):
    with torch.no_grad():
        features = teacher(x)
    given = student(x)
    each = nn.functional.mse_loss(given, labels, reduction="none")
    loss = nn.functional.mse_loss(given, features) + each[known].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
