import torch
from torch import nn
from torchvision.models import ResNet18_Weights, resnet18


class Frozen(nn.Module):
    """Keeps what it wraps in eval mode and out of the graph."""

    def __init__(self, body):
        super().__init__()
        self.body = body.requires_grad_(False).eval()

    def train(self, mode=True):
        super().train(mode)
        self.body.eval()
        return self

    @torch.no_grad()
    def forward(self, x):
        return self.body(x)


class Probe(nn.Module):
    def __init__(self, classes, p=0.5):
        super().__init__()
        body = resnet18(weights=ResNet18_Weights.DEFAULT)
        width = body.fc.in_features
        body.fc = nn.Identity()
        self.body = Frozen(body)
        self.head = nn.Sequential(nn.Dropout(p), nn.Linear(width, classes))

    def forward(self, x, probabilities=False):
        logits = self.head(self.body(x))
        return logits.softmax(-1) if probabilities else logits
