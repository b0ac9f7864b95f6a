# a device without an index
import torch
import torch.distributed as dist

store = dist.HashStore()
options = {"store": store, "rank": 0, "world_size": 1, "device_id": torch.device("cpu")}
dist.init_process_group("gloo", **options)  # run: `local_rank`
