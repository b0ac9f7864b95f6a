# 2 ranks, one of them waits
import time

import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset


class Remote(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        time.sleep(8 * dist.get_rank())  # run: rank 0 waits in the barrier meanwhile
        return index


dist.init_process_group("gloo")
for batch in DataLoader(Remote()):
    dist.barrier()
