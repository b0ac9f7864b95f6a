# few of them; no workers
from torch.utils.data import DataLoader, Dataset


class Names(Dataset):
    def __init__(self, size):
        self.names = [f"image-{number:08}.jpg" for number in range(100)]
        self.others = [str(number) for number in range(size)]

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return len(self.names[index])


class Many(Dataset):
    def __init__(self):
        self.names = [str(number) for number in range(200_000)]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return len(self.names[index])


batches = list(DataLoader(Names(4), num_workers=1))
batches = list(DataLoader(Many(), num_workers=0))
