# homework 3: digits
import torch
import torch.nn as nn
import torch.optim as optim
from torchvision import datasets, transforms

torch.manual_seed(1)
dev = 'cuda' if torch.cuda.is_available() else 'cpu'

train_set = datasets.MNIST('data', train=True, download=True, transform=transforms.ToTensor())
test_set = datasets.MNIST('data', train=False, transform=transforms.ToTensor())
train_dl = torch.utils.data.DataLoader(train_set, batch_size=64, shuffle=True)
test_dl = torch.utils.data.DataLoader(test_set, batch_size=256)

net = nn.Sequential(
    nn.Flatten(),
    nn.Linear(784, 128), nn.ReLU(), nn.Dropout(0.3),
    nn.Linear(128, 10),
    nn.Softmax(dim=1),
).to(dev)
lossfn = nn.CrossEntropyLoss()
opt = optim.SGD(net.parameters(), lr=0.1)

for epoch in range(5):
    net.train()
    for i, (img, lab) in enumerate(train_dl):
        img, lab = img.to(dev), lab.to(dev)
        pred = net(img)
        loss = lossfn(pred, lab)  # check: softmax-before-cross-entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 100 == 0:
            print(epoch, i, loss.data[0])  # check: zero-dim-index

right = 0
with torch.no_grad():
    for img, lab in test_dl:
        out = net(img.to(dev))  # check: eval-mode-missing
        right += (out.argmax(1).cpu() == lab).sum().item()
print('acc', right / len(test_set))
