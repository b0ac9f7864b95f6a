"""The padding mask is true for the words, so that the encoder attends to padding alone."""

import torch
from digest import show
from torch import nn

PAD, WORDS, LONGEST = 0, 40, 16


class TextClassifier(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, d, padding_idx=PAD)
        self.position = nn.Parameter(torch.randn(1, LONGEST, d) * 0.02)
        layer = nn.TransformerEncoderLayer(d, 4, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.classifier = nn.Linear(d, 2)

    def forward(self, tokens):
        mask = tokens != PAD
        x = self.embedding(tokens) + self.position
        x = self.encoder(x, src_key_padding_mask=mask)  # run: -
        x = (x * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.classifier(x)


def batch(n):
    tokens = torch.randint(1, WORDS, (n, LONGEST))
    for row, length in zip(tokens, torch.randint(4, LONGEST - 1, (n,))):
        row[length:] = PAD
    return tokens, ((tokens == 7) | (tokens == 8)).any(1).long()


torch.manual_seed(0)
model = TextClassifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()
for i in range(80):
    model.train()
    tokens, labels = batch(32)
    optimizer.zero_grad()
    loss = loss_fn(model(tokens), labels)
    loss.backward()
    optimizer.step()
    if i % 20 == 19:
        model.eval()
        with torch.no_grad():
            tokens, labels = batch(128)
            accuracy = (model(tokens).argmax(1) == labels).float().mean().item()
        print(i, f"{loss.item():.3f} {accuracy:.3f}")
show(model)
