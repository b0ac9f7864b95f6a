# the class
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 4


loader = DataLoader(Numbers, shuffle=True)  # run: parentheses
