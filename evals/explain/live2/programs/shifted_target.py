import torch
from torch import nn

VOCAB, MAX_LEN, WIDTH = 50, 12, 32


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source = nn.Embedding(VOCAB, WIDTH)
        self.target = nn.Embedding(VOCAB, WIDTH)
        self.body = nn.Transformer(WIDTH, 4, 1, 1, 64, batch_first=True)
        self.out = nn.Linear(WIDTH, VOCAB)
        self.register_buffer("causal", nn.Transformer.generate_square_subsequent_mask(MAX_LEN))

    def forward(self, source, target):
        hidden = self.body(self.source(source), self.target(target), tgt_mask=self.causal)
        return self.out(hidden)


model = Translator()
source = torch.randint(VOCAB, (4, 9))
target = torch.randint(VOCAB, (4, MAX_LEN))
logits = model(source, target[:, :-1])
loss = nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())
loss.backward()
