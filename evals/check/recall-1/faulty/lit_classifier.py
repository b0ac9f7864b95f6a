import lightning.pytorch as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class LitNet(pl.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))
        self.losses = []
        self.val_out = []

    def forward(self, x):
        return F.softmax(self.net(x), dim=-1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)  # check: softmax-before-cross-entropy
        self.losses.append(loss)  # check: loss-keeps-graph
        self.log('train_loss', loss)
        return loss

    def on_train_epoch_end(self):
        self.log('epoch_loss', torch.stack(self.losses).mean())
        self.losses.clear()

    def validation_step(self, batch, batch_idx):
        x, y = batch
        acc = (self(x).argmax(1) == y).float().mean()
        self.val_out.append(acc)

    def on_validation_epoch_end(self):
        self.log('val_acc', torch.stack(self.val_out).mean())
        self.val_out.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


if __name__ == '__main__':
    ds = TensorDataset(torch.randn(256, 20), torch.randint(0, 4, (256,)))
    trainer = pl.Trainer(max_epochs=2, accelerator='cpu', logger=False, enable_checkpointing=False)
    trainer.fit(LitNet(), DataLoader(ds, 32, shuffle=True), DataLoader(ds, 64))
