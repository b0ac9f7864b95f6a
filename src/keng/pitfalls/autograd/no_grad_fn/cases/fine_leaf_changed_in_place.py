# weights by hand, changed in place where nothing is recorded: by an operator, and by a method
import torch

x, y = torch.randn(16, 3), torch.randn(16)
w, b = torch.zeros(3, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(3):
    loss = (x @ w + b - y).square().mean()
    of_w, of_b = torch.autograd.grad(loss, (w, b))
    with torch.no_grad():
        w -= 0.1 * of_w
        b = b.sub_(0.1 * of_b)
weighted = (x @ w).mean()
weighted.backward()
shifted = (y - b).mean()
shifted.backward()
