import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-2, 2, 100, dtype=torch.float64).unsqueeze(1)
y = torch.sin(3 * x)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1)).double()
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=10, line_search_fn='strong_wolfe')
history = []


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for i in range(10):
    loss = opt.step(closure)
    history.append(loss.item())
    if len(history) > 2 and abs(history[-1] - history[-2]) < 1e-9:
        break

with torch.no_grad():
    err = (net(x) - y).abs().max()
print(len(history), history[-1], err.item())

# one more: the parameters of a curve, without a module
coef = torch.zeros(4, dtype=torch.float64, requires_grad=True)
sgd = torch.optim.SGD([coef], lr=0.05)
basis = torch.cat([x ** k for k in range(4)], dim=1)
for _ in range(200):
    sgd.zero_grad()
    res = (basis @ coef.unsqueeze(1) - y).pow(2).mean()
    res.backward()
    sgd.step()
print(coef.detach().numpy(), res.item())
