# each worker is given one seed
import random

from torch.utils.data import DataLoader, Dataset

SEED = 3


class Noise(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return random.random()


def seed(worker):
    random.seed(SEED)  # run: the same in each worker and epoch


first, second = DataLoader(Noise(), batch_size=4, num_workers=2, worker_init_fn=seed)

# proof
assert first.tolist() == second.tolist()
