import torch
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, manifest):
        self.lines = open(manifest).read().splitlines()  # check: dataset-python-objects-grow

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        path, label = self.lines[index].split('\t')
        return torch.load(path, map_location='cpu'), int(label)


def collate(batch):
    xs, ys = zip(*batch)
    return torch.nn.utils.rnn.pad_sequence(xs, batch_first=True), torch.tensor(ys)


def make_loader(manifest, batch_size, train):
    dataset = Utterances(manifest)
    return DataLoader(dataset, batch_size, shuffle=train, num_workers=4, collate_fn=collate)  # check: loader-not-sharded
