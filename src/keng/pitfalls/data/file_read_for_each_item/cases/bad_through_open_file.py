# through an open file
import json

import torch
from torch.utils.data import Dataset


class Answers(Dataset):
    def __init__(self, path, length):
        self.path = path
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        with open(self.path) as file:
            told = json.load(file)  # check: the whole of `self.path`
        return torch.tensor(told[index])

# proof
import tempfile
from unittest import mock

with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    json.dump([1, 2], file)
    file.flush()
    with mock.patch("json.load", wraps=json.load) as reading:
        told = [Answers(file.name, 2)[n] for n in range(2)]
assert reading.call_count == 2
