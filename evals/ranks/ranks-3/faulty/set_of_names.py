import torch
import torch.distributed as dist

PARTS = {"backbone", "neck", "head", "mask", "box", "keypoint", "depth", "pose", "flow", "edge"}
WIDTH = {name: 2 + 3 * number for number, name in enumerate(sorted(PARTS))}


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    losses = {name: torch.rand(WIDTH[name]) for name in PARTS}
    for _ in range(5):
        for name in PARTS:  # a set has another order in each process
            dist.all_reduce(losses[name])  # run: collectives-differ
            losses[name] /= dist.get_world_size()
    if dist.get_rank() == 0:
        print({name: value.mean().item() for name, value in losses.items()})
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
