# as a function, zeros by default
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
sentences = [(torch.randn(n, 6), torch.randint(1, 5, (n,))) for n in (3, 4, 3, 12)]


def pad(batch):
    return pad_sequence([x for x, _ in batch], True), pad_sequence([y for _, y in batch], True)


loader, model = DataLoader(sentences, 4, collate_fn=pad), nn.Linear(6, 5)
for step, (frames, states) in enumerate(loader):
    loss = F.cross_entropy(model(frames).flatten(0, 1), states.flatten())  # check: too

# proof
frames_alone = F.cross_entropy(model(frames).flatten(0, 1), states.flatten(), ignore_index=0)
assert not torch.isclose(loss, frames_alone)
