import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

MAX_TOKENS = 6


class TextCNN(nn.Module):
    def __init__(self, vocab=300, dim=24, kernels=(3, 5, 7)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList(nn.Conv1d(dim, 16, k) for k in kernels)
        self.out = nn.Linear(16 * len(kernels), 4)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        pooled = [conv(x).relu().amax(2) for conv in self.convs]
        return self.out(torch.cat(pooled, 1))


headlines = [torch.randint(1, 300, (n,))[:MAX_TOKENS] for n in (9, 5, 12, 6)]
batch = pad_sequence(headlines, batch_first=True)
print(TextCNN()(batch).shape)
