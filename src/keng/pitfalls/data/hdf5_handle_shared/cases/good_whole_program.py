# the good program of the page with its training
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
