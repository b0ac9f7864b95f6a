# read with the class allowed, read with `weights_only=False`, saved as plain data
import argparse
import io

import torch

args = argparse.ArgumentParser().parse_args([])
file = io.BytesIO()
torch.save({"args": args, "step": 1}, file)
file.seek(0)
state = torch.load(file, weights_only=False)
file.seek(0)
with torch.serialization.safe_globals([argparse.Namespace]):
    state = torch.load(file, weights_only=False)
file = io.BytesIO()
torch.save({"args": vars(state["args"]), "step": state["step"]}, file)
