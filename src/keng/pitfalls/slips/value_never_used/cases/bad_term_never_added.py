# a term of the loss that is not added to it; the share of one process, which the loader does not get; a new rate
import torch
from torch import nn
from torch.utils.data import DataLoader

model, mse = nn.Linear(4, 4), nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def halved(lr):
    return lr, lr / 2


def train(rank, world_size, data):
    mask = torch.ones(len(data))
    indices = mask.nonzero().view(-1)
    indices = indices.split(len(indices) // world_size)[rank]  # check: `indices` is computed
    for x in DataLoader(data, batch_size=4, sampler=mask.nonzero().view(-1).tolist()):
        out = model(x)
        loss = mse(out, x)
        loss_smooth = mse(out[:, 1:], out[:, :-1])  # check: `loss_smooth` is computed and never read
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    old_lr, new_lr = halved(optimizer.param_groups[0]["lr"])  # check: `new_lr`
    print(f"epoch done, rate {old_lr}")


train(0, 2, torch.randn(8, 4))

# proof
assert optimizer.param_groups[0]["lr"] == 0.1
