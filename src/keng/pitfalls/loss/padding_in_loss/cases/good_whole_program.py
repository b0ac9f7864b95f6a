# the good program of the page with its training
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0
sentences = [(torch.randint(1, 20, (n,)), torch.randint(1, 5, (n,))) for n in (3, 4, 3, 30)]


def collate(batch):
    words, tags = zip(*batch)
    words = pad_sequence(words, batch_first=True, padding_value=PAD)
    tags = pad_sequence(tags, batch_first=True, padding_value=PAD)
    return words, tags


loader = DataLoader(sentences, batch_size=4, collate_fn=collate)
model = nn.Sequential(nn.Embedding(20, 8, padding_idx=PAD), nn.Linear(8, 5))
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for words, tags in loader:
    loss = criterion(model(words).view(-1, 5), tags.view(-1))
    loss.backward()
