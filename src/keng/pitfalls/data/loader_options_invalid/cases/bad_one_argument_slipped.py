# one argument slipped
from torch.utils.data import BatchSampler, SequentialSampler

batches = BatchSampler(SequentialSampler(range(8)), 4, 2)  # run: `drop_last` is 2
