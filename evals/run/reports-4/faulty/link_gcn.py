"""Link prediction on an interaction network with a two-layer GCN, after THUDM/CogDL issue 18."""

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn
from torch.nn import functional as F
from torch_geometric import seed_everything
from torch_geometric.nn import GCNConv
from torch_geometric.utils import negative_sampling, to_undirected

seed_everything(4)
NODES, BLOCKS, DIM = 400, 8, 48


def interactions():
    block = torch.randint(BLOCKS, (NODES,))
    same = block[:, None] == block[None, :]
    probability = torch.where(same, 0.16, 0.008)
    adjacency = torch.rand(NODES, NODES) < probability
    adjacency = torch.triu(adjacency, 1)
    adjacency = adjacency | adjacency.T
    features = F.one_hot(block, BLOCKS).float() + 1.2 * torch.randn(NODES, BLOCKS)
    return features, adjacency.nonzero().T.contiguous()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(NODES, DIM)
        self.project = nn.Linear(BLOCKS, DIM)
        self.conv1, self.conv2 = GCNConv(DIM, DIM), GCNConv(DIM, DIM)

    def forward(self, features, edge_index):
        x = self.project(features) + 0.1 * self.embedding.weight
        x = F.dropout(self.conv1(x, edge_index).relu(), 0.3, self.training)
        return self.conv2(x, edge_index)


class LinkPredictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.mlp = nn.Sequential(nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, 1))

    def encode(self, edge_index):
        return self.encoder(features, edge_index)

    def decode(self, z, pairs):
        return self.mlp(z[pairs[0]] * z[pairs[1]]).squeeze(-1)


def split_edges(edge_index, valid=0.05, test=0.15):
    order = torch.randperm(edge_index.shape[1])  # run: -
    valid_count, test_count = int(valid * len(order)), int(test * len(order))
    parts = order.split([len(order) - valid_count - test_count, valid_count, test_count])
    return [edge_index[:, part] for part in parts]


@torch.no_grad()
def evaluate(model, message_edges, positive, negative):
    model.eval()
    z = model.encode(message_edges)
    scores = torch.cat([model.decode(z, positive), model.decode(z, negative)]).sigmoid()
    labels = torch.cat([torch.ones(positive.shape[1]), torch.zeros(negative.shape[1])])
    model.train()
    return roc_auc_score(labels, scores), average_precision_score(labels, scores)


features, edges = interactions()
train_edges, valid_edges, test_edges = split_edges(edges)
message_edges = to_undirected(train_edges, num_nodes=NODES)
valid_negative = negative_sampling(edges, NODES, valid_edges.shape[1])
test_negative = negative_sampling(edges, NODES, test_edges.shape[1])
print("edges", edges.shape[1], "train", train_edges.shape[1], "valid", valid_edges.shape[1], "test", test_edges.shape[1])

model = LinkPredictor()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(1, 121):
    optimizer.zero_grad()
    z = model.encode(message_edges)
    negative = negative_sampling(edges, NODES, train_edges.shape[1])
    logits = torch.cat([model.decode(z, train_edges), model.decode(z, negative)])
    targets = torch.cat([torch.ones(train_edges.shape[1]), torch.zeros(negative.shape[1])])
    loss = F.binary_cross_entropy_with_logits(logits, targets)
    loss.backward()
    optimizer.step()
    if epoch % 30 == 0:
        auc, ap = evaluate(model, message_edges, valid_edges, valid_negative)
        print(f"epoch {epoch} loss {loss.item():.4f} valid AUC {auc:.4f} AP {ap:.4f}")
auc, ap = evaluate(model, message_edges, test_edges, test_negative)
print(f"test AUC {auc:.4f} AP {ap:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
