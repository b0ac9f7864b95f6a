# a stream
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(8))


loader = DataLoader(Stream(), shuffle=True)  # run: `its own order`
