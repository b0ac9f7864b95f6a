import os, random, time
import numpy as np
import torch
import torchvision

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = True  # check: cudnn-benchmark-choice

net = torchvision.models.mobilenet_v3_small(weights=None).cuda().eval()
x = torch.randn(16, 3, 224, 224, device='cuda')


@torch.no_grad()
def run(n=50):
    for _ in range(10):
        net(x)
    torch.cuda.synchronize()
    t = time.perf_counter()
    for _ in range(n):
        net(x)
    return (time.perf_counter() - t) / n  # check: timing-without-sync


def grad_norm(model):
    total = 0.
    for p in model.parameters():
        if p.grad is not None:
            total += p.grad.norm().item() ** 2  # check: host-sync-in-loop
    return total ** 0.5


print(f'{run() * 1e3:.2f} ms')
net.train()
net(x).sum().backward()
print(grad_norm(net))
