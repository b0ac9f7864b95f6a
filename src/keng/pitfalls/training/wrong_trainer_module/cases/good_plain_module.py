# A trainer is given a module that is none of its own kind
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), torch.utils.data.DataLoader(torch.ones(4, 2)))
