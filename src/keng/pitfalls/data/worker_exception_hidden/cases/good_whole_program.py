# the good program of the page with its training
import traceback

from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    rows = [{"image": 1}, {"picture": 2}]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]["image"]


try:
    images = list(DataLoader(Rows(), num_workers=0))
except KeyError:
    told = traceback.format_exc()
