# divided
from torch.export import Dim

half = Dim("length") / 2  # run: `2 * half`
