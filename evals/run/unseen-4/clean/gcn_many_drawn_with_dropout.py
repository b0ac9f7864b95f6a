"""A graph net, tested in eval mode, and then many times with its dropouts alone switched on."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn
from torch.nn import functional as F


class GraphConv(nn.Linear):
    def forward(self, x, adj):
        return torch.sparse.mm(adj, super().forward(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(4), nn.Dropout(0.3)
        self.conv1, self.conv2 = GraphConv(4, 16), GraphConv(16, 3)

    def forward(self, x, adj):
        x = self.drop(F.elu(self.conv1(self.norm(x), adj)))
        return F.log_softmax(self.conv2(x, adj), dim=1)


def nearest(x, k=5):
    rows = torch.cdist(x, x).topk(k, largest=False).indices
    links = torch.zeros(len(x), len(x)).scatter_(1, rows, 1.0)
    links = ((links + links.T) > 0).float()
    return (links / links.sum(1, keepdim=True)).to_sparse_csr()


def switch_dropout_on(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.train()


@torch.no_grad()
def spread(model, x, adj, draws=8):
    model.eval()
    switch_dropout_on(model)
    return torch.stack([model(x, adj).exp() for _ in range(draws)]).var(0).sum(1).mean().item()


torch.manual_seed(0)
iris = load_iris()
x, y = torch.tensor(iris.data, dtype=torch.float32), torch.tensor(iris.target)
adj, mask = nearest(x), torch.rand(len(x)) < 0.4
model = Net()
optimizer = torch.optim.Adam(model.parameters(), 0.01, weight_decay=5e-4)
for epoch in range(80):
    model.train()
    optimizer.zero_grad()
    out = model(x, adj)
    loss = F.nll_loss(out[mask], y[mask])
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        model.eval()
        with torch.no_grad():
            right = (model(x, adj).argmax(1) == y)[~mask].float().mean().item()
        print(epoch, f"{loss.item():.3f} {right:.3f} {spread(model, x, adj):.4f}")
show(model)
