import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def groups(model, rank):
    """Biases and norms are not decayed; the list of names was printed, and built, on the main process."""
    plain = set()
    if rank == 0:
        plain = {name for name, p in model.named_parameters() if p.ndim < 2}
        print(f"{len(plain)} tensors without decay")
    decayed = [p for name, p in model.named_parameters() if name not in plain]
    rest = [p for name, p in model.named_parameters() if name in plain]
    return [{"params": decayed, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(10, 20), nn.LayerNorm(20), nn.ReLU(), nn.Linear(20, 1)))
    optimizer = torch.optim.AdamW(groups(model, rank), lr=1e-2)  # run: ranks-diverge
    for step in range(60):
        x = torch.randn(16, 10)
        loss = nn.functional.mse_loss(model(x), x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # run: ranks-diverge
    dist.destroy_process_group()


main()
