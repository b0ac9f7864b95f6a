# an entry of it
import pickle

from torch import nn

checkpoint = pickle.loads(pickle.dumps(nn.Linear(4, 2)))
epoch = checkpoint["epoch"]  # run: `epoch`
