# A library beside PyTorch warns of something that changes no result
# needs: import pytorch_lightning
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def validation_step(self, batch, index):
        self.layer(batch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


warnings.filterwarnings("error", message=".*shuffling enabled.*")
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), DataLoader(torch.ones(4, 2)), DataLoader(torch.ones(4, 2)))
