# new parameters in each round
import torch

for start in (0.0, 1.0, 2.0):
    x = torch.tensor([start], requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.1)
    (x - 3).square().sum().backward()
    optimizer.step()
