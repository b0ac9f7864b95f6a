# argument: num_processes=4
from accelerate.data_loader import BatchSamplerShard
from torch.utils.data import BatchSampler, SequentialSampler

batches = BatchSampler(SequentialSampler(range(50)), batch_size=10, drop_last=False)
mine = BatchSamplerShard(batches, num_processes=4, process_index=0, split_batches=True)
