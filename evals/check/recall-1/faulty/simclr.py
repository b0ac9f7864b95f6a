import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import transforms
from torchvision.models import resnet18


class TwoViews:
    def __init__(self, t):
        self.t = t

    def __call__(self, img):
        return self.t(img), self.t(img)


augment = transforms.Compose([
    transforms.RandomResizedCrop(32),
    transforms.RandomHorizontalFlip(),
    transforms.ToTensor(),
])


class SimCLR(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.encoder = resnet18(pretrained=False)  # check: pretrained-flag
        feat = self.encoder.fc.in_features
        self.encoder.fc = nn.Identity()
        self.feat, self.dim = feat, dim

    def forward(self, x):
        h = self.encoder(x)
        h = nn.Linear(self.feat, self.dim)(F.relu(h))  # check: layer-created-in-forward
        return F.normalize(h, dim=1)


def nt_xent(a, b, temp=0.5):
    z = torch.cat([a, b])
    sim = torch.exp(z @ z.t() / temp)
    n = len(a)
    mask = ~torch.eye(2 * n, dtype=torch.bool)
    pos = torch.exp((a * b).sum(1) / temp)
    pos = torch.cat([pos, pos])
    return -torch.log(pos / (sim * mask).sum(1)).mean()


def train(model, loader, epochs, lr=1e-3, device='cpu'):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for e in range(epochs):
        model.train()
        ep_loss = 0.
        for (v1, v2), _ in loader:
            v1.to(device)  # check: tensor-move-discarded
            v2 = v2.to(device)
            loss = nt_xent(model(v1), model(v2))
            opt.zero_grad()
            loss.backward(retain_graph=True)  # check: retain-graph-needless
            opt.step()
            ep_loss += loss.item()
        history.append(ep_loss / len(loader))
    return history
