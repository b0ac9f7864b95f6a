"""A small causal transformer samples a text after each epoch and never trains with dropout again."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F

TEXT = "the pit in the road is seen by him who looks and told by him who fell into it. " * 12


class Writer(nn.Module):
    def __init__(self, letters, width=32, length=24):
        super().__init__()
        self.length = length
        self.letters, self.places = nn.Embedding(letters, width), nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.1, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, letters)

    def forward(self, tokens):
        size = tokens.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(size)
        hidden = self.letters(tokens) + self.places(torch.arange(size))
        return self.head(self.body(hidden, mask=mask, is_causal=True))


@torch.no_grad()
def write(model, tokens, count):
    model.eval()  # run: train-mode-not-restored
    for _ in range(count):
        last = model(tokens[:, -model.length :])[:, -1]
        tokens = torch.cat([tokens, torch.multinomial(last.softmax(1), 1)], 1)
    return tokens[0].tolist()


torch.manual_seed(0)
letters = sorted(set(TEXT))
tokens = torch.tensor([letters.index(letter) for letter in TEXT])
model = Writer(len(letters))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
model.train()
for epoch in range(4):
    for _ in range(15):
        starts = torch.randint(len(tokens) - 25, (16, 1))
        rows = tokens[starts + torch.arange(25)]
        scores = model(rows[:, :-1])  # run: train-mode-not-restored
        loss = F.cross_entropy(scores.flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("".join(letters[n] for n in write(model, tokens[None, :4], 20)))
show(model)
