import multiprocessing as mp
import sys

import cv2
import torch
from torch import nn
from torchvision import models, transforms

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])


class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = torch.tensor([0.2, 0.3, 0.5])
        self.offset = torch.zeros(3)
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        w = self.weights.to(x)
        return self.fc(x * w) + self.offset.to(x.device)


def for_use(net):
    net.train(False)
    return net.to(device)


def load(path):
    net = models.resnet18()
    net.load_state_dict(torch.load(path, map_location='cpu', weights_only=True))
    return for_use(net)


def read(path):
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    return tf(image)


def count(path, results):
    results.put((path, cv2.imread(path).shape))


@torch.inference_mode()
def main(paths):
    net, head = load('net.pt'), Fixed().to(device)
    results = mp.Queue()
    workers = [mp.Process(target=count, args=(p, results)) for p in paths]
    for w in workers:
        w.start()
    for p in paths:
        out = net(read(p).unsqueeze(0).to(device))
        print(p, out.argmax(1).item(), head(torch.rand(1, 3, device=device)))
    for w in workers:
        w.join()


if __name__ == '__main__':
    main(sys.argv[1:])
