# bounds the wrong way round
from torch.export import Dim

batch = Dim("batch", min=8, max=4)  # run: `max`
