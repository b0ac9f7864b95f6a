# no length
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(self, index):
        return index


loader = DataLoader(Numbers(), shuffle=True)  # run: `__len__`
