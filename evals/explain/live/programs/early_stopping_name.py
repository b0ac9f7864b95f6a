import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping
from torch.utils.data import DataLoader, TensorDataset


class Regressor(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 1)

    def training_step(self, batch, _):
        x, y = batch
        return ((self.net(x) - y) ** 2).mean()

    def validation_step(self, batch, _):
        x, y = batch
        self.log("valid_loss", ((self.net(x) - y) ** 2).mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=8)
stop = EarlyStopping(monitor="val_loss", patience=2)
trainer = L.Trainer(max_epochs=2, callbacks=[stop], logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu")
trainer.fit(Regressor(), loader, loader)
