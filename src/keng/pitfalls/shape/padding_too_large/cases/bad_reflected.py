# reflected
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(1, 1, 2, 2), (4, 4, 4, 4), mode="reflect")  # run: `(4, 4)`
