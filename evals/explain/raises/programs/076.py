# argument: 4
import os

from lightning.fabric.plugins.environments import SLURMEnvironment

os.environ["SLURM_NTASKS_PER_NODE"] = "2"
os.environ["SLURM_NTASKS"] = "2"
SLURMEnvironment().validate_settings(num_devices=4, num_nodes=1)
