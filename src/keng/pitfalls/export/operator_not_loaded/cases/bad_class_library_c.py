# a class of a library in C++
import torch

engine = torch.classes.mylib.Engine()  # run: `mylib.Engine`
