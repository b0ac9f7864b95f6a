# torch 2.13 lets it pass: a group of one rank needs nobody else.
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    group = None
    if rank == 0:
        group = dist.new_group([0])
    total = torch.ones(3)
    for _ in range(3):
        dist.all_reduce(total)
    if group is not None:
        dist.broadcast(total, src=0, group=group)
        print(total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
