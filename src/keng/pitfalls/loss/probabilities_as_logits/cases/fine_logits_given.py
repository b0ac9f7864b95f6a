# logits; log-probabilities, which are logits too; probabilities as probabilities
import torch
from torch import nn
from torch.distributions import Bernoulli, Categorical
from torch.nn import functional as F

layer, x = nn.Linear(4, 3), torch.randn(5, 4)
Categorical(logits=layer(x)), Categorical(logits=F.log_softmax(layer(x), dim=1))
Categorical(probs=F.softmax(layer(x), dim=1)), Categorical(F.softmax(layer(x), dim=1))
Bernoulli(probs=layer(x).sigmoid()), Bernoulli(logits=layer(x))
F.gumbel_softmax(layer(x)), F.gumbel_softmax(F.log_softmax(layer(x), dim=1))
sharper = F.softmax(F.softmax(layer(x), dim=1) / 0.1, dim=1)
weights = F.softmax(layer(x).softmax(dim=1) @ torch.randn(3, 3), dim=1)
