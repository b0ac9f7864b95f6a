# the tool that builds extensions is not there
import os

os.environ["PATH"] = ""
from torch.utils.cpp_extension import verify_ninja_availability

verify_ninja_availability()  # run: no ninja on the way
