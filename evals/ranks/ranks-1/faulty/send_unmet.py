import torch
import torch.distributed as dist


class Stage:
    def __init__(self, rank):
        self.rank = rank
        torch.manual_seed(rank)
        self.layer = torch.nn.Linear(512, 512)

    def run(self, microbatches):
        for number in range(microbatches):
            if self.rank == 0:
                dist.send(self.layer(torch.randn(256, 512)).detach(), dst=1)
            else:
                inputs = torch.empty(256, 512)
                dist.recv(inputs, src=0)  # run: collective-on-one-rank or collectives-differ or rank-did-not-come or message-unmatched
                self.layer(inputs)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    Stage(rank).run(microbatches=4 if rank == 0 else 5)  # run: collective-on-one-rank or collectives-differ or rank-did-not-come or message-unmatched
    dist.barrier()  # run: collective-on-one-rank or collectives-differ or rank-did-not-come or message-unmatched
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
