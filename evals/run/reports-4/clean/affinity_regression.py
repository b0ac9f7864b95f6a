"""Retraining of an affinity regressor with patience on the validation error, after THGLab/LP-PDBBind pull 1."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(21)
FEATURES, SAMPLES, PATIENCE = 40, 840, 40


def complexes():
    ligands = torch.randn(SAMPLES, FEATURES)
    pockets = torch.randn(SAMPLES, FEATURES)
    direction = torch.randn(FEATURES) / FEATURES**0.5
    affinity = (ligands @ direction) + 0.5 * torch.tanh(pockets @ direction) + 1.0 * torch.randn(SAMPLES)
    return TensorDataset(ligands, pockets, affinity)


class DeepAffinity(nn.Module):
    def __init__(self, hidden=160):
        super().__init__()
        self.ligand = nn.Sequential(nn.Linear(FEATURES, hidden), nn.ReLU())
        self.pocket = nn.Sequential(nn.Linear(FEATURES, hidden), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, ligands, pockets):
        return self.head(torch.cat([self.ligand(ligands), self.pocket(pockets)], 1)).squeeze(-1)


@torch.no_grad()
def rmse(model, loader):
    model.eval()
    errors = [(model(ligands, pockets) - affinity).square() for ligands, pockets, affinity in loader]
    return torch.cat(errors).mean().sqrt().item()


def fit(model, train_loader, valid_loader, epochs=100):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    best_rmse, best_weights, waited = float("inf"), copy.deepcopy(model.state_dict()), 0
    for epoch in range(epochs):
        model.train()
        for ligands, pockets, affinity in train_loader:
            loss = nn.functional.mse_loss(model(ligands, pockets), affinity)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        score = rmse(model, valid_loader)
        if score < best_rmse:
            best_rmse, waited = score, 0
            best_weights = copy.deepcopy(model.state_dict())
        else:
            waited += 1
            if waited >= PATIENCE:
                print(f"stopped at epoch {epoch}")
                break
        if epoch % 10 == 0:
            print(f"epoch {epoch} train loss {loss.item():.4f} valid RMSE {score:.4f}")
    model.load_state_dict(best_weights)
    return best_rmse


train_set, valid_set, test_set = random_split(complexes(), [240, 300, 300])
train_loader = DataLoader(train_set, batch_size=30, shuffle=True)
valid_loader, test_loader = DataLoader(valid_set, batch_size=150), DataLoader(test_set, batch_size=150)
model = DeepAffinity()
best = fit(model, train_loader, valid_loader)
print(f"best valid RMSE {best:.4f}, of the returned model {rmse(model, valid_loader):.4f}")
print(f"test RMSE {rmse(model, test_loader):.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
