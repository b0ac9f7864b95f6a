# argument: log_model=True
from lightning.pytorch.loggers import wandb as wandb_logger

wandb_logger._WANDB_AVAILABLE = True
logger = wandb_logger.WandbLogger(project="demo", offline=True, log_model=True)
