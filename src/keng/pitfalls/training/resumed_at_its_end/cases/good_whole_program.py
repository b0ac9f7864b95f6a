# the good program of the page with its training
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


loader = torch.utils.data.DataLoader(torch.ones(4, 2))
trainer = pl.Trainer(max_epochs=2)
trainer.fit(Lit(), loader)
trainer.save_checkpoint("last.ckpt")
pl.Trainer(max_epochs=4).fit(Lit(), loader, ckpt_path="last.ckpt")
