# a rank that is text
import torch.distributed as dist

place = {"rank": "0", "world_size": "1"}
address = "tcp://localhost:29500"
dist.init_process_group("gloo", init_method=address, **place)  # run: `int(`
