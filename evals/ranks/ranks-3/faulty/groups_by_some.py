import torch
import torch.distributed as dist


class Layout:
    """Ranks 0 and 1 compute, rank 2 collects; every kind of work gets a group of its own."""

    def __init__(self):
        self.rank = dist.get_rank()
        self.workers = None
        if self.rank < 2:
            self.workers = dist.new_group([0, 1])  # run: collectives-differ or collective-on-one-rank or rank-did-not-come
        self.report = dist.new_group([0, 1, 2])  # run: collectives-differ or collective-on-one-rank or rank-did-not-come


def main():
    dist.init_process_group("gloo")
    layout = Layout()
    value = torch.ones(3) * layout.rank
    for _ in range(5):
        if layout.workers is not None:
            dist.all_reduce(value, group=layout.workers)
        dist.all_reduce(value, group=layout.report)  # run: collectives-differ or collective-on-one-rank or rank-did-not-come
    print(layout.rank, value.tolist())
    dist.destroy_process_group()


main()
