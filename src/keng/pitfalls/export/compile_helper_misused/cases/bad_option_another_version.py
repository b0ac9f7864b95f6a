# an option of another version
import torch

torch._dynamo.config.capture_everything = True  # run: `capture_everything`
