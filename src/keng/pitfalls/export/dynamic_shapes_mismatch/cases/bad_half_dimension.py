# half of a dimension
from torch.export import Dim

half = 0.5 * Dim("length")  # run: `2 * half`
