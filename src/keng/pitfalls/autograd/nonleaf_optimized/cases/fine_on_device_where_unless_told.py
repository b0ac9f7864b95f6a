# already on the device, by default
import torch


def tuned(steps, device="cpu"):
    prompt = torch.randn(4, requires_grad=True).to(device)
    optimizer = torch.optim.SGD([prompt], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        prompt.square().sum().backward()
        optimizer.step()
    return prompt


prompt = tuned(3)
