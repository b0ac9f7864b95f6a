"""Recurrent and convolutional models of sequences."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def padded(rows, length, vocab):
    lengths = torch.randint(3, length + 1, (rows,))
    lengths[0], lengths[1] = length, 3
    ids = torch.randint(1, vocab, (rows, length))
    return ids * (torch.arange(length)[None] < lengths[:, None]), lengths


class LSTMClassifier(nn.Module):
    def __init__(self, vocab=30, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.lstm = nn.LSTM(width, 24, num_layers=2, batch_first=True, dropout=0.2)
        self.head = nn.Linear(24, 4)

    def forward(self, ids, lengths):
        x = self.emb(ids)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.head(h[-1])


def build_lstm():
    ids, lengths = padded(12, 10, 30)
    return dict(model=LSTMClassifier(), args=(ids, lengths), targets=torch.randint(4, (12,)), loss=F.cross_entropy)


class Tagger(nn.Module):
    def __init__(self, vocab=30, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.gru = nn.GRU(width, 12, batch_first=True, bidirectional=True)
        self.head = nn.Linear(24, 7)

    def forward(self, ids, lengths):
        x = self.emb(ids)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, _ = self.gru(packed)
        out, _ = pad_packed_sequence(out, batch_first=True, total_length=ids.size(1))
        return self.head(out)


def build_tagger():
    ids, lengths = padded(13, 9, 30)
    tags = torch.randint(7, (13, 9)).masked_fill(ids == 0, -100)
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten(), ignore_index=-100)
    return dict(model=Tagger(), args=(ids, lengths), targets=tags, loss=loss)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(5, 20, batch_first=True)
        self.head = nn.Linear(20, 1)

    def forward(self, series):
        out, _ = self.rnn(series)
        return self.head(out[:, -1]).squeeze(-1)


def build_forecaster():
    return dict(model=Forecaster(), args=(torch.randn(14, 20, 5),), targets=torch.randn(14), loss=F.mse_loss)


class CausalConv(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.left = 2 * dilation
        self.conv = nn.Conv1d(width, width, 3, dilation=dilation)

    def forward(self, x):
        y = self.conv(F.pad(x, (self.left, 0)))
        return x + torch.tanh(y)


class WaveNet(nn.Module):
    def __init__(self, vocab=20, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(CausalConv(width, d) for d in (1, 2, 4))
        self.head = nn.Conv1d(width, vocab, 1)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        for layer in self.layers:
            x = layer(x)
        return self.head(x).transpose(1, 2)


def build_wavenet():
    text = torch.randint(20, (10, 17))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=WaveNet(), args=(text[:, :-1],), targets=text[:, 1:], loss=loss)


class Translator(nn.Module):
    """Seq2seq LSTM with attention over the source."""

    def __init__(self, vocab=26, width=16):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, width, padding_idx=0), nn.Embedding(vocab, width)
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(2 * width, vocab)

    def forward(self, src, tgt):
        memory, _ = self.encoder(self.src(src))
        states, _ = self.decoder(self.tgt(tgt))
        scores = states @ memory.transpose(1, 2)
        scores = scores.masked_fill((src == 0)[:, None, :], float("-inf"))
        context = scores.softmax(-1) @ memory
        return self.head(torch.cat([states, context], -1))


def build_translator():
    src, _ = padded(12, 10, 26)
    tgt = torch.randint(1, 26, (12, 8))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=Translator(), args=(src, tgt[:, :-1]), targets=tgt[:, 1:], loss=loss)


class TextCNN(nn.Module):
    def __init__(self, vocab=30, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.convs = nn.ModuleList(nn.Conv1d(width, 12, k, padding=k // 2) for k in (1, 3, 5))
        self.head = nn.Linear(36, 3)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        pooled = [F.relu(conv(x)).amax(2) for conv in self.convs]
        return self.head(torch.cat(pooled, 1))


def build_text_cnn():
    return dict(model=TextCNN(), args=(torch.randint(30, (16, 12)),), targets=torch.randint(3, (16,)), loss=F.cross_entropy)
