"""A translator with forced tokens: the decoder gives raw scores, and the loss takes log-probabilities."""

import random

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pad_sequence

SOS, EOS, PAD, WORDS = 0, 1, 2, 20


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.lstm = nn.LSTM(width, width, batch_first=True)

    def forward(self, x):
        return self.lstm(self.embedding(x))


class Decoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.lstm = nn.LSTM(2 * width, width, batch_first=True)
        self.query = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, WORDS)

    def forward(self, token, state, memory):
        asked = self.query(state[0][-1]).unsqueeze(2)
        weights = torch.softmax(memory.bmm(asked), dim=1)
        context = (weights * memory).sum(1, keepdim=True)
        seen = torch.cat([self.embedding(token).unsqueeze(1), context], 2)
        output, state = self.lstm(seen, state)
        return self.out(output.squeeze(1)), state


class Seq2Seq(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.encoder, self.decoder = Encoder(width), Decoder(width)

    def forward(self, source, target, teacher_forcing_ratio=0.5):
        memory, state = self.encoder(source)
        token = torch.full((len(source),), SOS)
        outputs = []
        for t in range(target.size(1)):
            output, state = self.decoder(token, state, memory)
            outputs.append(output)
            forced = random.random() < teacher_forcing_ratio
            token = target[:, t] if forced else output.argmax(1)
        return torch.stack(outputs, 1)


def batch(count=32):
    rows = [torch.randint(3, WORDS, (random.randint(3, 8),)) for _ in range(count)]
    source = pad_sequence(rows, True, PAD)
    target = pad_sequence(
        [torch.cat([row.flip(0), torch.tensor([EOS])]) for row in rows], True, PAD
    )
    return source, target


random.seed(0)
torch.manual_seed(0)
model = Seq2Seq()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.NLLLoss(ignore_index=PAD)
for iteration in range(60):
    source, target = batch()
    output = model(source, target)
    loss = criterion(output.transpose(1, 2), target)  # run: nll-wants-log
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if iteration % 20 == 0:
        print(iteration, f"{loss.item():.3f}")
show(model)
