# kept away from 0; values that are never 0
import torch
import torch.nn.functional as F

x = torch.tensor([[200.0, 0.0], [1.0, 2.0]])
p = F.softmax(x, dim=1)
log_p = torch.log(p + 1e-8)
log_p = torch.log(p.clamp(min=1e-8))
q = p.clamp_min(1e-8)
log_q = q.log()
y = torch.log(1 + torch.arange(3))
z = torch.log(2 + torch.exp(-x.abs()))
total = torch.log(torch.exp(x).sum(1))
mass = torch.log(p.sum(1))
