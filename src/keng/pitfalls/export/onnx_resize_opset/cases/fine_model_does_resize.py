# a model without resizing
import io
import warnings

import torch
from torch import nn

model, x = nn.Linear(2, 2), torch.ones(1, 2)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.onnx.export(model, (x,), io.BytesIO(), opset_version=9, dynamo=False)
