import torch
import torch.distributed as dist


class Meter:
    """Sums by name, in the order in which the names came."""

    def __init__(self):
        self.sums = {}

    def add(self, name, value):
        value = torch.as_tensor(value, dtype=torch.float32)
        self.sums[name] = self.sums.get(name, torch.zeros_like(value)) + value

    def reduce(self):
        for value in self.sums.values():
            dist.all_reduce(value)  # run: collectives-differ
        return self.sums


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    meter = Meter()
    for step in range(20):
        logits, labels = torch.randn(8, 3), torch.randint(0, 3, (8,))
        hard = (logits.argmax(1) != labels).sum() > 4 + 2 * rank
        if hard or step > 15:
            meter.add("wrong_by_class", torch.bincount(labels, minlength=3))
        if step + rank > 0:
            meter.add("loss", torch.nn.functional.cross_entropy(logits, labels))
    if rank == 1:
        meter.sums = dict(sorted(meter.sums.items()))  # this rank had met the names in this order
    else:
        meter.sums = dict(sorted(meter.sums.items(), reverse=True))
    totals = meter.reduce()
    dist.barrier()
    print(rank, {name: value.tolist() for name, value in totals.items()})
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
