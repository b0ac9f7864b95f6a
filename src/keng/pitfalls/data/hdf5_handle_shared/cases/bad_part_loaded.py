# a part of it is loaded
import zipfile

from torch.utils.data import DataLoader, Dataset, random_split


class Archive(Dataset):
    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)  # check: opened before there are workers

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
