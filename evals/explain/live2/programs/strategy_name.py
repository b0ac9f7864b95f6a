import lightning as L
import torch
from torch import nn


class Tiny(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


PROFILE = {"accelerator": "cpu", "devices": 1, "strategy": "dp"}


def trainer(profile, epochs):
    return L.Trainer(max_epochs=epochs, logger=False, enable_progress_bar=False, **profile)


fitted = trainer(PROFILE, epochs=1)
print(fitted.strategy)
