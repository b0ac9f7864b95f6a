import torch
import torch.nn as nn
import torch.nn.functional as F


def pgd(model, x, y, eps=0.1, steps=3):
    was = model.training
    model.eval()
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        loss = F.cross_entropy(model(x + delta), y)
        (g,) = torch.autograd.grad(loss, delta)
        with torch.no_grad():
            delta += eps / 2 * g.sign()
            delta.clamp_(-eps, eps)
    model.train(was)
    return (x + delta).detach()


def saliency(model, x):
    model.eval()
    x = x.clone().requires_grad_()
    model(x).max(1).values.sum().backward()
    return x.grad.abs().amax(1)


def penalty(model, x, y):
    x = x.clone().requires_grad_()
    loss = F.cross_entropy(model(x), y)
    (g,) = torch.autograd.grad(loss, x, create_graph=True)
    return loss + 0.1 * g.pow(2).sum((1, 2, 3)).mean()


def dream(model, steps=5):
    img = torch.rand(1, 3, 16, 16, requires_grad=True)
    opt = torch.optim.Adam([img], lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        (-model(img)[0, 1]).backward()
        opt.step()
        with torch.no_grad():
            img.clamp_(0, 1)
    return img.detach()


net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Dropout2d(0.1), nn.Flatten(), nn.Linear(8 * 14 * 14, 4))
opt = torch.optim.SGD(net.parameters(), 0.05)
net.train()
for step in range(4):
    x, y = torch.rand(8, 3, 16, 16), torch.randint(4, (8,))
    adv = pgd(net, x, y)
    loss = 0.5 * F.cross_entropy(net(adv), y) + 0.5 * penalty(net, x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(saliency(net, x).shape, dream(net).shape)
