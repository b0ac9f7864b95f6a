"""Embeddings of a graph by attention over walks, after https://github.com/benedekrozemberczki/AttentionWalk/issues/9."""

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.nn import functional as F

NODES, VILLAGES, POWERS, WALKS, DIM, UPDATES = 160, 5, 4, 20, 8, 250
torch.manual_seed(28)


def people(seed=4):
    """Who knows whom: often in a village, seldom between two; some know many."""
    generator = torch.Generator().manual_seed(seed)
    village = torch.randint(VILLAGES, (NODES,), generator=generator)
    social = torch.exp(0.7 * torch.randn(NODES, generator=generator))
    rate = torch.where(village[:, None] == village, 0.16, 0.02) * social[:, None] * social
    edges = torch.triu(torch.rand(NODES, NODES, generator=generator) < rate, 1)
    hidden = edges & (torch.rand(NODES, NODES, generator=generator) < 0.2)
    return village, edges & ~hidden, hidden, edges


def powers(adjacency):
    """One tensor with the steps of a walk, from one to POWERS."""
    degree = adjacency.sum(1).clamp(min=1)
    scale = torch.diag(degree)  # any: -
    step = scale @ adjacency
    walks = [step]
    for _ in range(POWERS - 1):
        walks.append(walks[-1] @ step)
    return torch.stack(walks)


class AttentionWalk(nn.Module):
    def __init__(self, walks, adjacency):
        super().__init__()
        self.register_buffer("walks", walks)
        self.register_buffer("apart", (adjacency == 0).float())
        self.left = nn.Parameter(0.1 * torch.randn(NODES, DIM))
        self.right = nn.Parameter(0.1 * torch.randn(DIM, NODES))
        self.attention = nn.Parameter(torch.zeros(POWERS, 1, 1))

    def scores(self):
        return self.left @ self.right

    def forward(self):
        share = self.attention.softmax(0)
        target = WALKS * (share * self.walks).sum(0)
        scores = self.scores()
        on_target = -(target * F.logsigmoid(scores)).mean()
        off_target = -(self.apart * F.logsigmoid(-scores)).mean()
        return on_target, off_target, 0.01 * (self.attention**2).mean()


@torch.no_grad()
def evaluate(model, village, hidden, edges):
    """AUC of the hidden edges, and how well the villages are told from half of the nodes."""
    scores = model.scores()
    scores = (scores + scores.T) / 2
    pairs = torch.triu(torch.ones(NODES, NODES, dtype=torch.bool), 1)
    asked = hidden | (pairs & ~edges)
    auc = roc_auc_score(hidden[asked].numpy(), scores[asked].numpy())
    features = torch.cat([model.left, model.right.T], 1)
    features = ((features - features.mean(0)) / features.std(0)).numpy()
    half = NODES // 2
    classifier = LogisticRegression(max_iter=500).fit(features[:half], village[:half].numpy())
    return auc, classifier.score(features[half:], village[half:].numpy())


village, known, hidden, edges = people()
adjacency = (known | known.T).float()
model = AttentionWalk(powers(adjacency), adjacency)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for i in range(UPDATES):
    on_target, off_target, regular = model()
    optimizer.zero_grad()
    (on_target + off_target + regular).backward()
    optimizer.step()
    if i % 50 == 49:
        print(f"update {i + 1} on target {on_target.item():.4f} off target {off_target.item():.4f}")
auc, accuracy = evaluate(model, village, hidden, edges)
print("attention", *(f"{share:.4f}" for share in model.attention.softmax(0).flatten().tolist()))
print(f"hidden edges AUC {auc:.4f} villages accuracy {accuracy:.4f} by chance {1 / VILLAGES:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
