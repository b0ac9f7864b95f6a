"""A Lightning module: its Trainer clears gradients, switches modes and disables gradients."""

import torch
from torch import nn

try:
    import lightning.pytorch as pl
except ImportError:
    raise SystemExit from None


class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 3))
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, batch, _):
        x, y = batch
        return self.criterion(self.net(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        self.log("accuracy", (self.net(x).argmax(1) == y).float().mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = torch.utils.data.DataLoader(data, batch_size=16)
pl.Trainer(max_epochs=1, logger=False, enable_checkpointing=False).fit(Classifier(), loader, loader)
