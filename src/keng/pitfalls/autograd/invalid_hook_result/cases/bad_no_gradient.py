# no gradient
import torch

x = torch.ones(4, requires_grad=True)
x.register_hook(lambda grad: grad.norm().item())
(x * 2).sum().backward()  # run: `float`
