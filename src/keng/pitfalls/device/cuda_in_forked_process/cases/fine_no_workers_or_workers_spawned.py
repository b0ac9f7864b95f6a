# no workers, or workers that are spawned
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.tensor(index**2, device="cuda")


loader = DataLoader(Squares(), batch_size=4)
none = DataLoader(Squares(), batch_size=4, num_workers=0)
spawned = DataLoader(Squares(), num_workers=2, multiprocessing_context="spawn")
