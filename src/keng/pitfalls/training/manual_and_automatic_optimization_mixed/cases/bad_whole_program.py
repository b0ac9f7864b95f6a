# a GAN with two optimizers in automatic optimization
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class Gan(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.maker, self.judge = nn.Linear(4, 2), nn.Linear(2, 1)

    def losses(self, batch):
        made, real = self.maker(batch[0]), batch[1]
        judged = self.judge(made.detach()).mean() - self.judge(real).mean()
        return -self.judge(made).mean(), judged

    def training_step(self, batch, index, optimizer_idx):
        return self.losses(batch)[optimizer_idx]

    def configure_optimizers(self):
        models = self.maker, self.judge
        return [torch.optim.SGD(each.parameters(), lr=0.1) for each in models]


data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Gan(), data)
