# what another Python or NumPy has pickled is read by this one
# needs: stable_baselines3
import io

import torch

file = io.BytesIO()
torch.save(torch.nn.Linear(2, 2).state_dict(), file)
