import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 16)
        self.heads = nn.ModuleDict({"seg": nn.Linear(16, 5), "depth": nn.Linear(16, 1)})

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.encoder(x)))


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(MultiTask())
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(20):
        task = "seg" if step % 2 == 0 else "depth"
        out = model(torch.randn(4, 8), task)  # run: ddp-unused-parameters
        optimizer.zero_grad()
        out.square().mean().backward()  # run: ddp-unused-parameters
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
