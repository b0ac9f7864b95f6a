import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import evaluate, train_one_epoch
from net import Net

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--device', default='cpu')
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.rand(65, 3, 16, 16), torch.randint(0, 4, (65,)))
loader = DataLoader(data, 16, shuffle=True, drop_last=True)
net = Net().to(args.device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=args.epochs * len(loader))
best = 0.0
for epoch in range(args.epochs):
    loss = train_one_epoch(net, criterion, optimizer, loader, args.device, scheduler)
    acc = evaluate(net, DataLoader(data, 32), args.device)
    print(epoch, loss, acc)
    if acc >= best:
        best = acc
        torch.save({'net': net.state_dict(), 'acc': acc}, 'best.pt')
best_state = torch.load('best.pt', map_location=args.device)
net.load_state_dict(best_state['net'])
print(evaluate(net, DataLoader(data, 32), args.device), best_state['acc'])
