# the tool that builds extensions is not there
from torch.utils.cpp_extension import is_ninja_available

compiled = is_ninja_available()  # else plain PyTorch, which is slower
