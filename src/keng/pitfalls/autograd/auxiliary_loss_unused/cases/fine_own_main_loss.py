# the model's own loss is replaced by that of the program; a logged loss without graph; losses of layers that are added
import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(8, 8), nn.Linear(8, 3)
        self.penalty_loss = None

    def forward(self, x, y):
        hidden = self.inner(x).tanh()
        self.penalty_loss = hidden.square().mean()
        logits = self.head(hidden)
        return {"loss": F.cross_entropy(logits, y), "logits": logits, "norm_loss": hidden.norm().detach()}


torch.manual_seed(0)
for kind in ("own", "added"):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(10):
        y = torch.randint(3, (16,))
        output = model(torch.randn(16, 8), y)
        if kind == "own":
            loss = F.cross_entropy(output["logits"], y, label_smoothing=0.1) + model.penalty_loss
        else:
            loss = output["loss"] + 0.1 * model.penalty_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
