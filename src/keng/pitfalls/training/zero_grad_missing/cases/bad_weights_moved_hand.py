# weights that are moved by hand
import torch

torch.manual_seed(0)
x, y = torch.randn(64, 3), torch.randn(64)
w, b = torch.randn(3, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(8):
    loss = (x @ w + b - y).square().mean()
    loss.backward()  # check: adds to what `w` was moved along
    with torch.no_grad():
        w -= 0.01 * w.grad
        b -= 0.01 * b.grad
