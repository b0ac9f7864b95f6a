r"""An open file is shared by the workers of a DataLoader.

A file opened in `__init__` of a dataset is open before there are workers. Forked workers share its position: one
moves it while another reads, so a plain file or a zip archive gives wrong bytes or an error now and then. Where
workers are started afresh (Windows, macOS, Linux since Python 3.14, `multiprocessing_context="spawn"`) the dataset
is pickled, and an open file, an HDF5 file or a database connection cannot be. HDF5 files read by forked workers
used to give errors and wrong data too; with current versions reading goes well more often than not.

Cure: keep the path, and open the file in `__getitem__` when it is first wanted, once in each worker.
`num_workers=0` only hides it.

Bad (an archive):

```python
import zipfile

from torch.utils.data import DataLoader, Dataset


class Archive(Dataset):
    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)  # here: opened before there are workers

    def __len__(self):
        return len(self.archive.namelist())

    def __getitem__(self, index):
        return self.archive.read(str(index))


with zipfile.ZipFile("samples.zip", "w") as archive:
    archive.writestr("0", b"sample")
loader = DataLoader(Archive("samples.zip"), num_workers=1, multiprocessing_context="spawn")
samples = list(loader)
```

Bad (a database):

```python
import sqlite3

from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, path):
        self.connection = sqlite3.connect(path)  # here: opened before there are workers

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.connection.execute("select ?", (index,)).fetchone()[0]


loader = DataLoader(Table("samples.db"), num_workers=1, multiprocessing_context="spawn")
samples = list(loader)
```

Bad (a part of it is loaded):

```python
import zipfile

from torch.utils.data import DataLoader, Dataset, random_split


class Archive(Dataset):
    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)  # here: opened before there are workers

    def __len__(self):
        return len(self.archive.namelist())

    def __getitem__(self, index):
        return self.archive.read(str(index))


with zipfile.ZipFile("samples.zip", "w") as archive:
    archive.writestr("0", b"sample")
    archive.writestr("1", b"sample")
train, test = random_split(Archive("samples.zip"), [0.5, 0.5])
loader = DataLoader(train, num_workers=1, multiprocessing_context="spawn")
samples = list(loader)
```

Good:

```python
import zipfile

from torch.utils.data import DataLoader, Dataset


class Archive(Dataset):
    def __init__(self, path):
        self.path, self.archive = path, None
        with zipfile.ZipFile(path) as archive:
            self.names = archive.namelist()

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        if self.archive is None:
            self.archive = zipfile.ZipFile(self.path)
        return self.archive.read(self.names[index])


with zipfile.ZipFile("samples.zip", "w") as archive:
    archive.writestr("0", b"sample")
samples = list(DataLoader(Archive("samples.zip"), num_workers=1))
```

Fine (no workers; read whole; not used for samples; left behind when pickled; opened anew in each worker):

```python
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
```

Message (Python 3.11, forked workers):

```text
zipfile.BadZipFile: Caught BadZipFile in DataLoader worker process 1.
Original Traceback (most recent call last):
  File "/opt/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 54, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "/home/u/data.py", line 14, in __getitem__
    return self.archive.read(str(index))
  File "/opt/lib/python3.11/zipfile.py", line 1573, in open
    raise BadZipFile("Bad magic number for file header")
zipfile.BadZipFile: Bad magic number for file header
```

Message (Python 3.11, the same archive):

```text
zipfile.BadZipFile: File name in directory '49' and header b'41' differ.
```

Message (h5py of 2018, forked workers):

```text
Traceback (most recent call last):
  File "/opt/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 106, in _worker_loop
    samples = collate_fn([dataset[i] for i in batch_indices])
  File "h5py/h5o.pyx", line 190, in h5py.h5o.open
KeyError: 'Unable to open object (bad object header version number)'
```

Message (h5py 3.16, spawn):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 30, in <module>
    for x in loader:
  File "/opt/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1176, in __init__
    w.start()
  File "/opt/lib/python3.11/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
TypeError: h5py objects cannot be pickled
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

OPENING = {
    "builtins.open",
    "h5py.File",
    "sqlite3.connect",
    "tarfile.open",
    "tarfile.TarFile",
    "zipfile.ZipFile",
}
LOADER = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py")


@pitfall.finds
def opened_before_the_workers(code: Code) -> Hits:
    for owner in code.datasets():
        for name, call in code.kept_for_samples(owner):
            if code.resolve(call.func) not in OPENING or code.minds_workers(owner, name):
                continue
            if code.forked_loaders(owner):
                says = f"`self.{name}` is opened once, before there are workers, and all share it"
                yield code.hit(call, says)


@pitfall.explains(
    r"(?P<what>h5py) objects cannot be pickled",
    r"cannot (?:pickle|serialize) '(?P<what>_io\.\w+|sqlite3\.Connection)' object",
    odds=0.9,
)
def handle_to_be_pickled(failure: Failure) -> Hits:
    if failure.saves or failure.raised_in.endswith("/copy.py"):
        return  # into a file, or for a copy: no worker has a part in it
    what = failure.groups["what"]
    thing = {"h5py": "an open HDF5 file", "sqlite3.Connection": "an open database"}
    says = f"the dataset holds {thing.get(what, 'an open file')}, which a worker cannot be sent"
    cure = "keep the path, and open it in `__getitem__` when first wanted"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*LOADER))


@pitfall.explains(
    r"Bad magic number for file header",
    r"File name in directory .{1,200} and header .{1,200} differ",
    r"Unable to (?:synchronously )?open object \((?:bad|wrong) ",
    odds=0.8,
)
def position_moved_by_another(failure: Failure) -> Hits:
    says = "workers forked after the file was opened read it side by side, from one position"
    cure = "open it in `__getitem__` when first wanted; with num_workers=0 a damaged file fails too"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*LOADER))
