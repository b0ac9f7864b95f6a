import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

texts = ["the cat sat on the mat", "a dog barked at the moon", "birds sing early in the morning"]
vocab = {}
for text in texts:
    for word in text.split():
        if word not in vocab:
            vocab[word] = len(vocab) + 2  # 0 pads, 1 is unknown


def encode(text):
    return torch.tensor([vocab.get(w, 1) for w in text.split()])


class Tagger(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(len(vocab), dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)


batch = pad_sequence([encode(t) for t in texts], batch_first=True)
print(Tagger()(batch).shape)
