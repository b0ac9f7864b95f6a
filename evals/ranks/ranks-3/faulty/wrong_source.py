import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    halves = [list(range(world // 2)), list(range(world // 2, world))]
    groups = [dist.new_group(half) for half in halves]
    mine = groups[rank >= world // 2]
    weights = torch.randn(8)
    for step in range(5):
        dist.all_reduce(weights, group=mine)
    dist.broadcast(weights, src=0, group=mine)  # run: invalid-collective-argument or rank-died
    dist.barrier()
    if rank == 0:
        print("replicas agree", weights.sum().item())
    dist.destroy_process_group()


main()
