# logarithms in several forms
import torch
import torch.nn.functional as F
from torch import nn

student = nn.Linear(8, 3)
x, target = torch.randn(16, 8), torch.full((16, 3), 1 / 3)
p = F.softmax(student(x), dim=1)
F.kl_div((p + 1e-8).log(), target, reduction="batchmean").backward()
F.kl_div(p.clamp_min(1e-8).log(), target.log(), reduction="batchmean", log_target=True)
