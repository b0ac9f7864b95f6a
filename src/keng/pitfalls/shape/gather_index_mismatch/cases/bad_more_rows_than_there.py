# more rows than there are
import torch

x = torch.ones(2, 3)
y = x.gather(1, torch.zeros(3, 1, dtype=torch.long))  # run: `[3, 1]`
