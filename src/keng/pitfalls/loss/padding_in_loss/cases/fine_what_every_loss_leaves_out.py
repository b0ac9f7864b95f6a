# a value that the loss ignores by default; a mask; one label per sentence; a weight of zero
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

sentences = [(torch.randint(1, 20, (n,)), torch.randint(5, (n,))) for n in (3, 4, 3, 30)]


def ignored(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), pad_sequence(tags, True, -100)


def zeros(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), pad_sequence(tags, True)


def single(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), torch.stack([t[0] for t in tags])


model, criterion = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 5)), nn.CrossEntropyLoss()
each = nn.CrossEntropyLoss(reduction="none")
weighted = nn.CrossEntropyLoss(weight=torch.tensor([0.0, 1, 1, 1, 1]))
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=ignored):
    loss = criterion(model(words).view(-1, 5), tags.view(-1))
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=zeros):
    keep, scores = words != 0, model(words)
    loss = criterion(scores[keep], tags[keep]) + weighted(scores.view(-1, 5), tags.view(-1))
    loss = loss + (each(scores.view(-1, 5), tags.view(-1)) * keep.view(-1)).sum() / keep.sum()
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=single):
    loss = criterion(model(words)[:, 0], tags)
