# a teacher in eval mode
import torch
from torch import nn
from torch.utils.data import DataLoader

teacher, student = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)), nn.Linear(4, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
teacher.eval()
for x in DataLoader(torch.randn(12, 4), batch_size=4):
    wanted = teacher(x)  # check: eval() stops no gradients
    loss = (student(x) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert teacher[0].weight.grad is not None
