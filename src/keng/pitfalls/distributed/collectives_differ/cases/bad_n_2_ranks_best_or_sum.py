# 2 ranks, of which one asks for the maximum where the other asks for the sum
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
best = torch.tensor([float(rank), 2.0])
operation = dist.ReduceOp.MAX if rank == 0 else dist.ReduceOp.SUM
dist.all_reduce(best, op=operation)  # run: operation MAX on one rank but operation SUM
