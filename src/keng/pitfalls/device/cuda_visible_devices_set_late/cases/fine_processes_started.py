# set for the processes that are started
import os
import subprocess
import sys

import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
subprocess.run([sys.executable, "-c", "pass"], check=True)
