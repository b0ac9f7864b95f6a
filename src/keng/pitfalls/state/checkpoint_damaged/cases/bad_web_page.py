# a web page
import io

import torch

page = b"<!DOCTYPE html><html><body>Sign in</body></html>"
state = torch.load(io.BytesIO(page), weights_only=False)  # run: no checkpoint
