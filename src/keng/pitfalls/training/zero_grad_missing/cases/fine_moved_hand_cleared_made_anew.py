# moved by hand: cleared, created again in each round, several backward passes per move, momentum by hand
import torch

torch.manual_seed(0)
x = torch.randn(64, 3)
w, v, m = (torch.randn(3, requires_grad=True) for _ in range(3))
for step in range(8):
    (x @ w).square().mean().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
for step in range(8):
    u = torch.randn(3, requires_grad=True)
    (x @ u).square().mean().backward()
    u.data.sub_(0.01 * u.grad)
for step in range(8):
    for part in x.split(16):
        (part @ v).square().mean().backward()
    with torch.no_grad():
        v -= 0.01 * v.grad
        v.grad.zero_()
for step in range(8):
    (x @ m).square().mean().backward()
    with torch.no_grad():
        m -= 0.01 * m.grad
        m.grad *= 0.9
