# a module, with the two the other way round
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
criterion = nn.KLDivLoss(reduction="batchmean")
log_p = F.log_softmax(student(x), dim=1)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
loss = criterion(target, log_p)  # check: the logarithm goes first

# proof
assert loss.isnan() or loss < 0
