"""A 2 x 2 mesh: tensor parallel inside a pair, data parallel between pairs. Dropout agrees within a pair only."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Net(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 64), nn.Linear(64, dim)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(dim, 3)

    def forward(self, x):
        return self.head(x + self.drop(self.down(torch.relu(self.up(self.norm(x))))))


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    torch.manual_seed(0)
    model = Net()
    parallelize_module(model, mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
    group = mesh["dp"].get_local_rank()
    torch.manual_seed(70 + group)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, foreach=False)
    data = torch.Generator().manual_seed(group)
    for step in range(25):
        x = torch.randn(16, 16, generator=data)
        loss = nn.functional.cross_entropy(model(x), x[:, :3].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        for p in model.parameters():
            grad = p.grad.to_local() if hasattr(p.grad, "to_local") else p.grad
            dist.all_reduce(grad, group=mesh["dp"].get_group())
            grad /= 2
        optimizer.step()
        if dist.get_rank() == 0 and step % 8 == 0:
            print(step, loss.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
