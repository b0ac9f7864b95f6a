# imported, though it is no longer there
import torch
from torch._six import container_abcs  # check: `torch._six`
