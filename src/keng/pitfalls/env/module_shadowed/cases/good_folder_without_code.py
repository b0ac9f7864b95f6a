# A folder that holds no code is imported in place of a library
import torch

print(torch.__path__)
