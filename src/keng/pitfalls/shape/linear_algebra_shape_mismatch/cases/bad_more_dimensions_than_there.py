# more dimensions than there are
import torch

y = torch.tensordot(torch.ones(2, 3), torch.ones(3, 2), dims=5)  # run: `dims=5`
