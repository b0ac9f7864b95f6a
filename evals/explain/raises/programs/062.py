# argument: loss=[("loss", 1.0), "scores"]
from dataclasses import dataclass
from typing import Any

from transformers.utils import ModelOutput


@dataclass
class Result(ModelOutput):
    loss: Any = None
    scores: Any = None


result = Result(loss=[("loss", 1.0), "scores"])
