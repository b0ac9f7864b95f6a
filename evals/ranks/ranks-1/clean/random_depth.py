import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            if number == 0 or not self.training or torch.rand(()) > 0.3:
                x = x + torch.relu(layer(x))
        return x


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = Stack()
    torch.manual_seed(1 + dist.get_rank())  # each rank drops layers of its own
    model = DDP(net, find_unused_parameters=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(70):
        x = torch.randn(8, 8)
        optimizer.zero_grad()
        (model(x) - x.roll(1, 1)).square().mean().backward()
        optimizer.step()
    dist.destroy_process_group()


main()
