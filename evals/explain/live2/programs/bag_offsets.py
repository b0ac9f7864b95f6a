import torch
from torch import nn

reviews = [[3, 8, 1], [4, 4], [9, 2, 7, 5]]


class Bag(nn.Module):
    def __init__(self, words=10, width=8, classes=2):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, width, mode="mean")
        self.out = nn.Linear(width, classes)

    def forward(self, tokens, offsets):
        return self.out(self.bag(tokens, offsets))


def collate(batch):
    tokens = torch.tensor([token for review in batch for token in review])
    lengths = torch.tensor([len(review) for review in batch])
    return tokens, lengths.cumsum(0)


model = Bag()
tokens, offsets = collate(reviews)
print(model(tokens, offsets).argmax(1))
