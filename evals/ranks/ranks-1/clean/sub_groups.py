import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    groups = [dist.new_group([member]) for member in range(dist.get_world_size())]
    for step in range(30):
        value = torch.full((4,), float(rank))
        for _ in range(1 + rank * 2):  # within its own group a rank may do what it likes
            dist.all_reduce(value, group=groups[rank])
        if step % 5 == 0:
            dist.all_reduce(value)
    if rank == 1:
        dist.broadcast(value, src=1, group=groups[1])
    dist.barrier()
    dist.destroy_process_group()


main()
