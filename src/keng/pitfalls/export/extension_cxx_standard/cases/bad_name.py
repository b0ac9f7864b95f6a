# by a name
from torch.utils.cpp_extension import CppExtension

flags = ["-O2", "-std=c++11"]  # check: too old as well
extension = CppExtension("twice", ["twice.cpp"], extra_compile_args=flags)

# proof
assert "-std=c++11" in extension.extra_compile_args
