"""Attention seq2seq written in 2018 and carried along since."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm


class Encoder(nn.Module):
    def __init__(self, vocab, hidden):
        super(Encoder, self).__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden, bidirectional=True)

    def forward(self, src, hidden=None):
        out, hidden = self.gru(self.embedding(src), hidden)
        return out[:, :, : out.size(2) // 2] + out[:, :, out.size(2) // 2 :], hidden


class Attn(nn.Module):
    def __init__(self, hidden):
        super(Attn, self).__init__()
        self.attn = nn.Linear(2 * hidden, hidden)
        self.v = nn.Parameter(torch.rand(hidden))

    def forward(self, hidden, outputs):
        T = outputs.size(0)
        h = hidden.repeat(T, 1, 1).transpose(0, 1)
        energy = F.tanh(self.attn(torch.cat([h, outputs.transpose(0, 1)], 2)))
        scores = torch.bmm(self.v.repeat(outputs.size(1), 1).unsqueeze(1), energy.transpose(1, 2)).squeeze(1)
        return F.softmax(scores, dim=1).unsqueeze(1)


class Decoder(nn.Module):
    def __init__(self, vocab, hidden):
        super(Decoder, self).__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.attention = Attn(hidden)
        self.gru = nn.GRU(2 * hidden, hidden)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, token, last, outputs):
        embedded = nn.Dropout(0.5)(self.embed(token).unsqueeze(0))  # check: layer-created-in-forward
        weights = self.attention(last[-1], outputs)
        context = weights.bmm(outputs.transpose(0, 1)).transpose(0, 1)
        out, hidden = self.gru(torch.cat([embedded, context], 2), last)
        logits = self.out(torch.cat([out.squeeze(0), context.squeeze(0)], 1))
        return F.log_softmax(logits, dim=1), hidden


def train(pairs, encoder, decoder, epochs=10, clip=10.0, sos=1):
    enc_opt = torch.optim.Adam(encoder.parameters(), lr=5e-4)
    dec_opt = torch.optim.Adam(list(decoder.parameters()) + list(encoder.embedding.parameters()), lr=5e-4)  # check: optimizers-overlap
    for epoch in range(epochs):
        total = 0
        for src, trg in pairs:
            enc_opt.zero_grad()
            dec_opt.zero_grad()
            outputs, hidden = encoder(src)
            hidden = hidden[:1]
            token = torch.LongTensor([sos] * src.size(1))
            loss = 0
            for t in range(trg.size(0)):
                logp, hidden = decoder(token, hidden, outputs)
                loss += F.nll_loss(logp, trg[t])
                token = trg[t] if random.random() < 0.5 else logp.max(1)[1]
            loss.backward()
            clip_grad_norm(encoder.parameters(), clip)  # check: api-deprecated
            clip_grad_norm(decoder.parameters(), clip)  # check: api-deprecated
            enc_opt.step()
            dec_opt.step()
            total += loss.data[0]  # check: zero-dim-index
        print(epoch, total / len(pairs))
