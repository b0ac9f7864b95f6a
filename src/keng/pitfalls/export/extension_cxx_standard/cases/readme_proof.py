from pathlib import Path

import torch

assert "-std=c++14" in extension.extra_compile_args["cxx"]
headers = Path(torch.__file__).parent / "include"
assert "#error C++17 or later" in (headers / "ATen" / "ATen.h").read_text()
