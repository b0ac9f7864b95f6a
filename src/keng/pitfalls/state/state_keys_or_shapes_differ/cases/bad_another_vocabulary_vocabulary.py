# another vocabulary; `the vocabulary`
from torch import nn


def net(words):
    return nn.ModuleDict({"embedding": nn.Embedding(words, 8), "out": nn.Linear(8, words)})


net(90).load_state_dict(net(100).state_dict())  # run: `100 rows in the file and 90 in the model`
