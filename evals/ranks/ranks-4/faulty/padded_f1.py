import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def gather(tensor):
    parts = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor)
    return torch.cat(parts)


def f1(predictions, labels):
    tp = ((predictions == 1) & (labels == 1)).sum().item()
    fp = ((predictions == 1) & (labels == 0)).sum().item()
    fn = ((predictions == 0) & (labels == 1)).sum().item()
    return 2 * tp / max(1, 2 * tp + fp + fn)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    predictions, labels = [], []
    for x, y in loader:
        predictions.append(model(x).argmax(1))
        labels.append(y)
    predictions, labels = gather(torch.cat(predictions)), gather(torch.cat(labels))  # run: metrics-over-padding
    model.train()
    return f1(predictions, labels), len(labels)  # run: metrics-over-padding


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    x = torch.randn(310, 10)
    y = (x[:, 0] * x[:, 1] > 0.6).long()
    train, test = TensorDataset(x[:210], y[:210]), TensorDataset(x[210:], y[210:])
    train_sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=10, sampler=train_sampler)
    test_sampler = DistributedSampler(test, shuffle=False)  # run: metrics-over-padding
    test_loader = DataLoader(test, batch_size=10, sampler=test_sampler)  # run: metrics-over-padding
    model = DDP(nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2)))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(5):
        train_sampler.set_epoch(epoch)
        for inputs, targets in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), targets).backward()
            optimizer.step()
        score, n = evaluate(model, test_loader)
        if rank == 0:
            print(f"epoch {epoch}: F1 {score:.4f} on {n} samples")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
