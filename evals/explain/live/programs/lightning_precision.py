import lightning as L
import torch

PRECISION = "16-bit"


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def training_step(self, batch, _):
        return self.layer(batch).sum()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def fit(model, data):
    trainer = L.Trainer(accelerator="cpu", precision=PRECISION, max_steps=2, logger=False)
    trainer.fit(model, torch.utils.data.DataLoader(data, batch_size=4))


fit(Net(), torch.randn(16, 2))
