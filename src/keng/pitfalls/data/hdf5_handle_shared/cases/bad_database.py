# a database
import sqlite3

from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, path):
        self.connection = sqlite3.connect(path)  # check: opened before there are workers

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.connection.execute("select ?", (index,)).fetchone()[0]


loader = DataLoader(Table("samples.db"), num_workers=1, multiprocessing_context="spawn")
samples = list(loader)
