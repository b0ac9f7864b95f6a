import lightning as L
import torch
from torch.utils.data import DataLoader


class Gan(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.g, self.d = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)

    def training_step(self, batch, _):
        opt_g, opt_d = self.optimizers()
        opt_g.zero_grad()
        self.manual_backward(-self.d(self.g(torch.randn_like(batch))).mean())
        opt_g.step()

    def configure_optimizers(self):
        return [torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())], []


trainer = L.Trainer(accelerator="cpu", max_epochs=1, gradient_clip_val=1.0, logger=False, enable_checkpointing=False)
trainer.fit(Gan(), DataLoader(torch.randn(16, 2), batch_size=4))
