import csv
import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torch import nn


class H5Features(Dataset):
    """Reads rows of a big HDF5 file."""

    def __init__(self, path, label_csv):
        self.file = h5py.File(path, 'r')  # check: hdf5-handle-shared
        self.x = self.file['features']
        self.labels = []
        with open(label_csv) as f:
            for row in csv.DictReader(f):
                self.labels.append((row['id'], int(row['target'])))  # check: dataset-python-objects-grow

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        _, y = self.labels[idx]
        x = torch.from_numpy(self.x[idx])
        x.float()  # check: tensor-result-discarded
        return x, y


def fit(path, label_csv):
    loader = DataLoader(H5Features(path, label_csv), batch_size=512, num_workers=6, shuffle=True)
    model = nn.Linear(100, 10)
    criterion = nn.CrossEntropyLoss(reduce=False)  # check: loss-arguments-removed
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in loader:
        loss = criterion(model(x), y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == '__main__':
    fit('features.h5', 'labels.csv')
