# a newer standard; a version that needs no more; a flag of a different compiler
# /// script
# dependencies = ["torch>=1.8,<2"]
# ///
import subprocess

from torch.utils.cpp_extension import CppExtension

newer = CppExtension("twice", ["twice.cpp"], extra_compile_args=["-std=c++20"])
old = CppExtension("twice", ["twice.cpp"], extra_compile_args=["-std=c++14"])
command = ["g++", "-std=c++11", "tool.cpp"]
