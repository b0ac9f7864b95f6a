# A process group or a mesh is split, joined or shrunk in a way that it does not take
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
group, groups = dist.new_subgroups_by_enumeration([[0]])
dist.destroy_process_group()
