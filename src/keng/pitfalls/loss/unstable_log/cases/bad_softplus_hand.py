# softplus by hand
import torch
import torch.nn.functional as F

x = torch.tensor([200.0, 3.0])
y = torch.log(1 + torch.exp(x))  # check: exp(200) overflows

# proof
assert y.isinf().any()
