# a batch sampler for a sampler
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler


class Names(Dataset):
    def __init__(self):
        self.names = ["a", "b", "c", "d"]

    def __getitem__(self, index):
        return self.names[index]  # run: `batch_sampler=`

    def __len__(self):
        return 4


data = Names()
pairs = BatchSampler(SequentialSampler(data), batch_size=2, drop_last=False)
batch = next(iter(DataLoader(data, sampler=pairs)))
