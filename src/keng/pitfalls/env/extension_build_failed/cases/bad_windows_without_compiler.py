# A build under Windows does not find the parts of Visual Studio or Python
# needs: Windows without a compiler
from torch.utils.cpp_extension import load

ops = load("ops", ["ops.cpp"])
