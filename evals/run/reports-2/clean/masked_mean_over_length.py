"""A sequence loss of d2l, whose mean counts the padding; after d2l-ai/d2l-en pull 2707."""

import torch
from digest import show
from torch import nn


class MaskedSoftmaxCELoss(nn.CrossEntropyLoss):
    """pred (batch, steps, vocab), label (batch, steps), valid_len (batch)"""

    def forward(self, pred, label, valid_len):
        weights = (torch.arange(label.shape[1]) < valid_len[:, None]).float()
        self.reduction = "none"
        unweighted = super().forward(pred.permute(0, 2, 1), label)
        return (unweighted * weights).sum(dim=1)


class Decoder(nn.Module):
    def __init__(self, vocab=25, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


torch.manual_seed(5)
net, loss_fn = Decoder(), MaskedSoftmaxCELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
for step in range(100):
    valid = torch.randint(3, 11, (16,))
    text = (torch.randint(1, 25, (16, 1)) + torch.arange(11)) % 24 + 1
    text[torch.arange(11) > valid[:, None]] = 0
    loss = loss_fn(net(text[:, :-1]), text[:, 1:], valid)
    optimizer.zero_grad()
    (loss.sum() / valid.sum()).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    if step % 25 == 24:
        print(step, f"{loss.sum().item() / valid.sum().item():.4f}")
show(net)
