# samples for columns
from torch.utils.data import DataLoader


def collate(batch):
    x, y = batch  # run: `zip(*batch)`
    return x


rows = next(iter(DataLoader([(1, 2)] * 3, batch_size=3, collate_fn=collate)))
