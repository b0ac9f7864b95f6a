"""Reviews: packed LSTM with log_softmax and NLL."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n):
        self.lengths = torch.randint(3, 12, (n,))
        self.labels = torch.randint(0, 2, (n,))

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, i):
        return torch.randint(1, 80, (int(self.lengths[i]),)), self.labels[i]


def collate(items):
    xs, ys = zip(*items)
    lens = torch.tensor([len(x) for x in xs])
    return pad_sequence(xs), lens, torch.stack(ys)


class Model(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(80, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, hidden, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, 2)

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens.cpu(), enforce_sorted=False)
        out, (h, _) = self.lstm(packed)
        out, _ = pad_packed_sequence(out)
        feat = torch.cat([h[-2], h[-1]], dim=-1) + out.mean(0)
        return F.log_softmax(self.fc(F.dropout(feat, 0.3, self.training)), dim=1)


model = Model()
optim = torch.optim.Adam(model.parameters())
nll = nn.NLLLoss()
loader = DataLoader(Reviews(120), 16, shuffle=True, collate_fn=collate)
for epoch in range(2):
    total = torch.zeros(())
    for x, lens, y in loader:
        optim.zero_grad()
        loss = nll(model(x, lens), y)
        loss.backward()
        optim.step()
        total += loss.detach()
    print(epoch, (total / len(loader)).item())
model.eval()
with torch.no_grad():
    for x, lens, y in loader:
        conf = model(x, lens).exp().max(1).values
        print(conf.mean().item())
        break
