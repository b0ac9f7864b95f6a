# A parameter of an FSDP model is used where only its shard is there
# needs: several cards
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def norm(model):
    with FSDP.summon_full_params(model):
        return model.embedding.weight.norm()
