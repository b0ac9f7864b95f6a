# argument: detect_anomaly=True
from lightning.pytorch import Trainer

trainer = Trainer(barebones=True, detect_anomaly=True, accelerator="cpu", logger=False)
