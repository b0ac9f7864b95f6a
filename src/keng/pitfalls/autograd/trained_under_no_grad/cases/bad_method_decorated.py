# a method that is decorated
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv1d(4, 8, 3, padding=1)
        self.classify = nn.Linear(8, 2)

    @torch.no_grad()  # run: `tagger.convolution` never learns
    def features(self, x):
        return self.convolution(x).relu().transpose(1, 2)

    def forward(self, x):
        return self.classify(self.features(x))


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.AdamW(tagger.parameters())
for step in range(8):
    out = tagger(torch.randn(2, 4, 10))
    optimizer.zero_grad()
    nn.functional.cross_entropy(out.flatten(0, 1), torch.randint(2, (20,))).backward()
    optimizer.step()
