# no workers; read whole; not used for samples; left behind when pickled; opened anew in each worker
import sqlite3

from torch.utils.data import DataLoader, Dataset, get_worker_info


class Table(Dataset):
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.rows = self.connection.execute("select 1").fetchall()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index][0]


class Query(Table):
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.connection.execute("select ?", (index,)).fetchone()[0]


class Careful(Query):
    def __init__(self, path):
        self.file = open(path, "rb")

    def __getstate__(self):
        return {"file": open(self.file.name, "rb")}

    def __getitem__(self, index):
        return self.file.fileno() > 0


def reopen(worker):
    get_worker_info().dataset.connection = sqlite3.connect("samples.db")


samples = list(DataLoader(Table("samples.db"), num_workers=1))
samples = list(DataLoader(Query("samples.db"), num_workers=0))
samples = list(DataLoader(Careful("samples.db"), num_workers=1))
samples = list(DataLoader(Query("samples.db"), num_workers=1, worker_init_fn=reopen))
