import torch
from torch.utils.data import DataLoader, Dataset

CORPUS = ["the cat sat", "dogs bark at night", "rain", "a very long line of words here"]


class Texts(Dataset):
    def __init__(self, lines):
        words = sorted({word for line in lines for word in line.split()})
        self.ids = {word: n for n, word in enumerate(words, 1)}
        self.lines = lines

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        return torch.tensor([self.ids[word] for word in self.lines[i].split()])


loader = DataLoader(Texts(CORPUS), batch_size=2)
for batch in loader:
    print(batch.shape)
