# a window that is one token longer is cut by the dataset, and the loss cuts the scores again
# needs: nothing
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
cycle = torch.randperm(17)
stream = [0]
for _ in range(600):
    stream.append(int(cycle[stream[-1]]))


class Windows(Dataset):
    def __init__(self, ids, length=12):
        self.ids, self.length = torch.tensor(ids), length

    def __len__(self):
        return len(self.ids) - self.length - 1

    def __getitem__(self, at):
        window = self.ids[at : at + self.length + 1]
        return {"source": window[:-1], "target": window[1:]}


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(17, 16), nn.GRU(16, 32, batch_first=True)
        self.head = nn.Linear(32, 17)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


model = Speller()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for batch in DataLoader(Windows(stream), batch_size=32, shuffle=True):
    scores, target = model(batch["source"])[:, :-1], batch["target"][:, 1:]
    loss = F.cross_entropy(scores.flatten(0, 1), target.flatten())  # run: two positions after the inputs
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
given = torch.tensor(stream)[None, 200:212]
assert (model(given)[0, :-1].argmax(-1) == given[0, 1:]).float().mean() < 0.5
