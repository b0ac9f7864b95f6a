# a scaler
import torch

scaler = torch.amp.GradScaler("cpu")
scaler.load_state_dict(scaler)  # run: `GradScaler`
