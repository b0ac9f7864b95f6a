# the good program of the page with its training
import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


stop = EarlyStopping(monitor="train_loss")
data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", callbacks=[stop], logger=False)
trainer.fit(Lit(), data)
