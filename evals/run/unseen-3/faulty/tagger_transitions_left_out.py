"""A tagger's chain of tags is a plain tensor: the model does not know it, and no optimizer moves it."""

import random

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

TAGS, WORDS, PAD = 4, 60, 0


class Sentences(Dataset):
    """A word's tag hangs on the word and on the tag before it."""

    def __init__(self, count, seed):
        rng = random.Random(seed)
        self.rows = []
        for _ in range(count):
            words = [rng.randrange(1, WORDS) for _ in range(rng.randint(4, 14))]
            tags, before = [], 0
            for word in words:
                before = (word + before) % TAGS if word % 3 else before
                tags.append(before)
            self.rows.append((torch.tensor(words), torch.tensor(tags)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(rows):
    rows.sort(key=lambda row: -len(row[0]))
    words, tags = zip(*rows, strict=True)
    lengths = torch.tensor([len(each) for each in words])
    return pad_sequence(words, True, PAD), pad_sequence(tags, True, 0), lengths


class ChainTagger(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.emit = nn.Linear(2 * width, TAGS)
        self.transitions = torch.zeros(  # run: module-not-registered or parameters-not-optimized
            TAGS, TAGS, requires_grad=True
        )

    def emissions(self, words, lengths):
        packed = pack_padded_sequence(self.embedding(words), lengths, batch_first=True)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.emit(hidden)

    def forward(self, words, tags, lengths):
        """Negative log-likelihood of the tags, the mean of the sentences."""
        scores = self.emissions(words, lengths)
        mask = torch.arange(words.shape[1]) < lengths[:, None]
        picked = scores.gather(2, tags.unsqueeze(2)).squeeze(2)
        links = self.transitions[tags[:, :-1], tags[:, 1:]]
        truth = (picked * mask).sum(1) + (links * mask[:, 1:]).sum(1)
        alpha = scores[:, 0]
        for position in range(1, words.shape[1]):
            reached = (alpha.unsqueeze(2) + self.transitions).logsumexp(1) + scores[:, position]
            alpha = torch.where(mask[:, position].unsqueeze(1), reached, alpha)
        return (alpha.logsumexp(1) - truth).mean()


def run():
    torch.manual_seed(5)
    model = ChainTagger()
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    loader = DataLoader(Sentences(400, 1), batch_size=32, shuffle=True, collate_fn=collate)
    for epoch in range(3):
        total = 0.0
        for words, tags, lengths in loader:
            model.zero_grad()
            loss = model(words, tags, lengths)
            loss.backward()  # run: module-not-registered or parameters-not-optimized
            optimizer.step()  # run: module-not-registered or parameters-not-optimized
            total += loss.item()
        print(epoch, f"{total / len(loader):.3f}")
    return model


if __name__ == "__main__":
    show(run())
