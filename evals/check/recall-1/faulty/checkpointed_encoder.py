import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Encoder(nn.Module):
    def __init__(self, dim=32, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x) if self.training else layer(x)  # check: checkpoint-use-reentrant-unset
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 32)
        self.enc = Encoder()
        self.cls = nn.Linear(32, 2)

    def forward(self, ids):
        return self.cls(self.enc(self.emb(ids)).mean(1))


def evaluate(model, ids, labels):
    model.eval()
    torch.no_grad()  # check: context-not-entered
    logits = model(ids)
    acc = (logits.argmax(-1) == labels).float().mean()
    model.train()
    return acc.item()


if __name__ == '__main__':
    model = Model()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=5)
    ids, labels = torch.randint(0, 100, (8, 12)), torch.randint(0, 2, (8,))
    for step in range(3):
        model.train()
        loss = nn.functional.cross_entropy(model(ids), labels)
        loss.backward()
        opt.step()
        sched.step()
        model.zero_grad()
        print(step, loss.item(), evaluate(model, ids, labels))
