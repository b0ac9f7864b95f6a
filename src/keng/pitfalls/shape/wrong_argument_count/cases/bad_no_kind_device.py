# no kind of device
import torch

with torch.autocast():  # run: 'device_type'
    pass
