# used by a method that a sample goes through
import torch
from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)  # check: the same in each epoch

    def __len__(self):
        return 8

    def crop(self):
        return torch.rand(1, generator=self.generator)

    def __getitem__(self, index):
        return self.crop()


loader = DataLoader(Crops(seed=3), batch_size=4, shuffle=True, num_workers=2)
epochs = [torch.cat(list(loader)).tolist() for epoch in range(2)]

# proof
assert epochs[0] == epochs[1]
