# spawned, all of them
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Ones(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        import torch

        return torch.ones(3).to("cuda")


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    loader = DataLoader(Ones(), num_workers=2)
