"""Finds fraudulent accounts in a graph, after https://github.com/awslabs/realtime-fraud-detection-with-gnn-on-dgl/pull/728."""

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn
from torch.nn import functional as F
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import coalesce, to_undirected

ACCOUNTS, FEATURES, EPOCHS = 1200, 48, 60
torch.manual_seed(23)


def make_graph():
    generator = torch.Generator().manual_seed(3)
    labels = (torch.rand(ACCOUNTS, generator=generator) < 0.15).long()
    centers = 0.22 * torch.randn(2, FEATURES, generator=generator)
    x = centers[labels] + torch.randn(ACCOUNTS, FEATURES, generator=generator)
    source = torch.randint(ACCOUNTS, (9000,), generator=generator)
    target = torch.randint(ACCOUNTS, (9000,), generator=generator)
    same = labels[source] == labels[target]
    kept = same | (torch.rand(len(same), generator=generator) < 0.35)
    kept &= torch.rand(len(same), generator=generator) < 0.4
    edges = coalesce(to_undirected(torch.stack([source[kept], target[kept]])))
    order = torch.randperm(ACCOUNTS, generator=generator)
    masks = torch.zeros(3, ACCOUNTS, dtype=torch.bool)
    for mask, index in zip(masks, order.split([600, 200, 400])):
        mask[index] = True
    return Data(x=x, y=labels, edge_index=edges, train_mask=masks[0], valid_mask=masks[1], test_mask=masks[2])


class FraudNet(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.first = SAGEConv(FEATURES, hidden)
        self.second = SAGEConv(hidden, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, x, edge_index):
        x = F.dropout(self.first(x, edge_index).relu(), 0.2, self.training)
        x = self.second(x, edge_index).relu()
        return self.out(x)


class Trainer:
    def __init__(self, graph, model):
        self.graph, self.model = graph, model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
        share = graph.y[graph.train_mask].float().mean()
        self.weight = torch.stack([0.5 / (1 - share), 0.5 / share])

    def step(self):
        self.model.train()
        logits = self.model(self.graph.x, self.graph.edge_index)
        loss = F.cross_entropy(logits, self.graph.y, self.weight)  # any: evaluation-rows-trained-on
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def scores(self, mask):
        self.model.eval()
        logits = self.model(self.graph.x, self.graph.edge_index)
        chances = logits.softmax(1)[mask, 1]
        labels = self.graph.y[mask]
        right = (logits[mask].argmax(1) == labels).float().mean().item()
        return right, roc_auc_score(labels, chances), average_precision_score(labels, chances)


graph = make_graph()
print(f"{graph.num_nodes} accounts, {graph.num_edges} edges, {int(graph.y.sum())} of them fraudulent")
trainer = Trainer(graph, FraudNet())
for epoch in range(EPOCHS):
    loss = trainer.step()
    if epoch % 15 == 14:
        accuracy, area, precision = trainer.scores(graph.valid_mask)
        print(f"epoch {epoch + 1} loss {loss:.4f} valid accuracy {accuracy:.4f} AUC {area:.4f} AP {precision:.4f}")
accuracy, area, precision = trainer.scores(graph.test_mask)
print(f"test accuracy {accuracy:.4f} AUC {area:.4f} AP {precision:.4f}")
print(f"checksum {sum(p.double().sum() for p in trainer.model.parameters()).item():.6f}")
