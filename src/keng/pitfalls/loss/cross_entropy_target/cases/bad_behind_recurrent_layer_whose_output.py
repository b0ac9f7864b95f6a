# behind a recurrent layer, whose output is not contiguous
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 5)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    scores = head(rnn(torch.randn(2, 5, 4))[0])
    loss = F.cross_entropy(scores, torch.randint(5, (2, 5)))  # run: the second dimension is time
    loss.backward()
    optimizer.step()
