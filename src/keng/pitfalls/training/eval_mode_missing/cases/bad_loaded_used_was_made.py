# loaded, and used as it was made
import torch
from torch import nn


def load(path):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    net.load_state_dict(torch.load(path, map_location="cpu"))
    return net


torch.save(
    {"0.weight": torch.ones(8, 4), "0.bias": torch.zeros(8)}
    | {"2.weight": torch.ones(2, 8), "2.bias": torch.zeros(2)},
    "net.pt",
)
net = load("net.pt")


@torch.no_grad()
def answer(x):
    return net(x).softmax(-1)  # check: each answer is another


with torch.no_grad():
    first, second = (net(torch.ones(6, 4)) for _ in range(2))  # check: as here

# proof
assert not torch.equal(first, second)
