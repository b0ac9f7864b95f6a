import torch
from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocab, dim, max_len=64):
        super().__init__()
        self.word = nn.Embedding(vocab, dim)
        self.position = nn.Embedding(max_len, dim)

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.word(ids) + self.position(places)


class Classifier(nn.Module):
    def __init__(self, vocab=500, dim=32):
        super().__init__()
        self.embed = TokenEmbedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(dim, 3)

    def forward(self, ids):
        return self.head(self.encoder(self.embed(ids))[:, 0])


reviews = torch.randint(0, 500, (4, 80))
print(Classifier()(reviews))
