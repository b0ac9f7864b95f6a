import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=100, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, 32)
        self.drop = nn.Dropout(0.3)
        cells = []
        for direction in ('left', 'right'):
            cells.append(nn.GRU(32, 32, batch_first=True))
        self.cells = cells  # check: module-not-registered
        self.out = nn.Linear(64, tags)
        self.temperature = torch.ones(1, requires_grad=True)  # check: module-not-registered

    def scores(self, x):
        e = self.drop(self.emb(x))
        return torch.cat([c(e)[0] for c in self.cells], -1)

    def forward(self, x):
        return self.out(self.scores(x)) / self.temperature


class Service:
    def __init__(self, path):
        self.net = Tagger()
        self.net.load_state_dict(torch.load(path, map_location='cpu'))

    def tags(self, ids):
        with torch.no_grad():
            return self.net(torch.tensor([ids])).argmax(-1)[0].tolist()  # check: eval-mode-missing


if __name__ == '__main__':
    print(Service('tagger.pt').tags([3, 4, 5]))
