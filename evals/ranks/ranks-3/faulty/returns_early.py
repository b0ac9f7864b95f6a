import torch
import torch.distributed as dist


def positives_of(rank):
    scores = torch.linspace(-1, 1, 60).chunk(dist.get_world_size())[rank]
    return scores[scores > 0]


def evaluate(rank):
    found = positives_of(rank)
    if found.numel() == 0:
        return 0.0  # run: collectives-differ or collective-on-one-rank or rank-died
    total = torch.stack([found.sum(), torch.tensor(float(found.numel()))])
    dist.all_reduce(total)  # run: collectives-differ or collective-on-one-rank or rank-died
    return (total[0] / total[1]).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    weights = torch.zeros(5)
    for _ in range(10):
        weights += torch.randn(5)
        dist.all_reduce(weights, op=dist.ReduceOp.AVG if False else dist.ReduceOp.SUM)
    mean = evaluate(rank)
    counts = [None] * dist.get_world_size()
    dist.all_gather_object(counts, {"rank": rank, "mean": mean})  # run: collectives-differ or collective-on-one-rank or rank-died
    if rank == 0:
        print(counts)
    dist.destroy_process_group()


main()
