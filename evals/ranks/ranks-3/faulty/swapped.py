import torch
import torch.distributed as dist


class Tracker:
    def __init__(self):
        self.best = torch.tensor([float("inf")])

    def update(self, loss, correct):
        if loss < self.best:
            self.best = loss.clone()
            correct = self.shared(correct)  # run: collectives-differ
            loss = self.shared_loss(loss)  # run: collectives-differ
        else:
            loss = self.shared_loss(loss)  # run: collectives-differ
            correct = self.shared(correct)  # run: collectives-differ
        return loss, correct

    def shared(self, value):
        dist.all_reduce(value)  # run: collectives-differ
        return value

    def shared_loss(self, value):
        dist.all_reduce(value)  # run: collectives-differ
        return value / dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(10 + rank)
    tracker = Tracker()
    for step in range(30):
        loss, correct = torch.rand(1), torch.randint(0, 16, (1,)).float()
        loss, correct = tracker.update(loss, correct)
        if rank == 0 and step % 10 == 0:
            print(step, loss.item(), correct.item())
    dist.barrier()
    dist.destroy_process_group()


main()
