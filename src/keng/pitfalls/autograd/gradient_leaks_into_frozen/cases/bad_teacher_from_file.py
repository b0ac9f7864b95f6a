# a teacher from a file
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.save(nn.Linear(4, 2).state_dict(), "teacher.pt")
teacher, student = nn.Linear(4, 2), nn.Linear(4, 2)
teacher.load_state_dict(torch.load("teacher.pt"))
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for x in DataLoader(torch.randn(12, 4), batch_size=4):
    x = x.to("cpu")
    wanted = teacher(x)  # check: `teacher`
    loss = (student(x) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert teacher.weight.grad is not None
