# an extension cannot be built, as a compiler, a header or a library is missing or too old
# needs: a compiler
import torch
from torch.utils.cpp_extension import load_inline

module = load_inline("twice", "int twice(int n) { return 2 * n }", functions=["twice"])
