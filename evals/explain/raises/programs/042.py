# argument:
import torch.utils.benchmark.utils.cpp_jit as cpp_jit
from torch.utils.benchmark.utils.cpp_jit import compile_callgrind_template

cpp_jit._compile_template = lambda **kwargs: None
compile_callgrind_template(stmt="", setup="", global_setup="")
