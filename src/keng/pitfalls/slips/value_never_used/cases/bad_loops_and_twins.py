# a loop variable that is moved, a name in two spellings, a residual added to itself, a sample that the next round does not see
import torch
from torch import nn


def moved(batch, device):
    for key, value in batch.items():
        value = value.to(device)  # check: `value` is set at the end of a round and never read
    return batch


def cast(tensors, dtype):
    tensors = list(tensors)
    for each in tensors:
        each = torch.as_tensor(each, dtype=dtype)  # check: `tensors` keeps its old elements
    return tensors


def restored(checkpoint):
    restored_data_loader = None
    if checkpoint:
        restored_dataloader = checkpoint["loader"]  # check: what is read is `restored_data_loader`
    if restored_data_loader is None:
        restored_data_loader = []
    return restored_data_loader


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            residual = x
            out = layer(x)
            print(out.shape)
            x = x + residual  # check: `residual` is still `x`
        return x


def sample(net, embedding, steps):
    for step in range(steps):
        noise = net(embedding)
        image = embedding - 0.1 * noise  # check: `image` is computed and never read
    return embedding


batch = moved({"x": torch.ones(2)}, "meta")
x = torch.ones(1, 2)

# proof
assert batch["x"].device.type == "cpu" and restored({"loader": [1]}) == []
assert cast([1.5], torch.int64) == [1.5]
assert torch.equal(Block()(x), 4 * x) and sample(nn.Linear(2, 2), x, 3) is x
