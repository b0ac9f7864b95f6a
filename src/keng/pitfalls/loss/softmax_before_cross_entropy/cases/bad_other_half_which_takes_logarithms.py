# the other half of it, which takes logarithms
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randint(3, (8,))
loss = F.nll_loss(torch.softmax(x, dim=1), y)  # check: log_softmax belongs here

# proof
assert loss < 0
