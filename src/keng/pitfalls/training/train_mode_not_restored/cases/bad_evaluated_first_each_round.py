# evaluated first, in each round
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
test = torch.randn(16, 4)


@torch.no_grad()
def estimate_loss():
    model.eval()
    return model(test).square().mean().item()


for step in range(6):
    if step % 2 == 0:
        print(estimate_loss())
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()  # check: the estimate left it in eval mode
    loss.backward()
    optimizer.step()

# proof
assert not model.training
