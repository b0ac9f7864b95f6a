# an empty file
import io

import torch

state = torch.load(io.BytesIO(b""), weights_only=False)  # run: 0 bytes
