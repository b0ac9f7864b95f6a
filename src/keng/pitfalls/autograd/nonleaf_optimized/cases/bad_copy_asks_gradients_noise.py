# a copy that asks for gradients, and noise
import torch

content = torch.rand(1, 3, 8, 8)
image = content.clone().requires_grad_(True) + 0.1 * torch.randn_like(content)  # check: a sum
optimizer = torch.optim.LBFGS([image])
