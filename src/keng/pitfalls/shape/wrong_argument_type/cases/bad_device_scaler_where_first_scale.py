# the device of a scaler, where its first scale is
import torch

scaler = torch.amp.GradScaler("cpu", "cuda")
loss = scaler.scale(torch.ones(()))  # run: `the initial scale`
