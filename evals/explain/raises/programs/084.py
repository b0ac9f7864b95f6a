# argument: accelerator="cpu"
from lightning.pytorch import Trainer
from lightning.pytorch.accelerators import CPUAccelerator
from lightning.pytorch.strategies import SingleDeviceStrategy

strategy = SingleDeviceStrategy(accelerator=CPUAccelerator())
trainer = Trainer(accelerator="cpu", strategy=strategy, logger=False)
