"""Language model over a stream of text files."""
import random
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, folder, seq):
        self.files = sorted(Path(folder).glob('*.txt'))
        self.seq = seq

    def __iter__(self):
        for path in self.files:  # check: iterable-dataset-duplicated
            data = path.read_bytes()
            for i in range(0, len(data) - self.seq - 1, self.seq):
                chunk = torch.tensor(list(data[i:i + self.seq + 1]))
                yield chunk[:-1], chunk[1:]


class LM(nn.Module):
    def __init__(self):
        super(LM, self).__init__()
        self.e = nn.Embedding(256, 64)
        layer = nn.TransformerEncoderLayer(64, 4, 128)
        self.tr = nn.TransformerEncoder(layer, 2)  # check: rnn-batch-first
        self.o = nn.Linear(64, 256)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.o(self.tr(self.e(x), mask=mask))


def main():
    loader = DataLoader(Stream('books', 64), batch_size=32, num_workers=4)
    lm = LM()
    optimizer = torch.optim.Adam(lm.parameters(), lr=3e-4)
    loss_fn = nn.NLLLoss()
    for step, (x, y) in enumerate(loader):
        logp = torch.log(torch.softmax(lm(x), dim=-1))  # check: unstable-log
        loss = loss_fn(logp.transpose(1, 2), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            print(step, loss.item())


main()
