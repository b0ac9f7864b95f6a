# A plain module
import pytorch_lightning as pl
import torch

model = torch.nn.Sequential(torch.nn.Linear(2, 1))
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(model, torch.utils.data.DataLoader(torch.ones(4, 2)))
