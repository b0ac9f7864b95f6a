import torch
from torch import nn


class Engine:
    def __init__(self, net, lr):
        self.net = net.cuda()
        self.opt = torch.optim.AdamW(net.parameters(), lr)
        self.scaler = torch.amp.GradScaler('cuda')
        self.loss = nn.CrossEntropyLoss(ignore_index=255)
        self.step_no = 0

    def step(self, x, y):
        with torch.autocast('cuda', dtype=torch.float16):
            out = self.net(x.cuda())
            loss = self.loss(out, y.cuda())
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.opt.step()  # check: amp-order
        self.scaler.update()
        self.step_no += 1
        return loss.detach()

    def state_dict(self):
        return {'net': self.net.state_dict(), 'opt': self.opt.state_dict(),
                'scaler': self.scaler.state_dict(), 'step': self.step_no}

    def load_state_dict(self, state):
        self.net.load_state_dict(state['net'])  # check: resume-incomplete
        self.step_no = state['step']


def miou(net, loader, k):
    net.eval()
    conf = torch.zeros(k, k, device='cuda')
    with torch.inference_mode():
        for x, y in loader:
            pred = net(x.cuda()).argmax(1).flatten()
            y = y.cuda().flatten()
            valid = (y != 255).type(torch.uint8)
            conf += torch.bincount(y[valid] * k + pred[valid], minlength=k * k).view(k, k)  # check: uint8-mask
    iou = conf.diag() / (conf.sum(0) + conf.sum(1) - conf.diag())
    return iou.mean().item()


def fit(engine, train, val, epochs):
    for ep in range(epochs):
        for x, y in train:
            loss = engine.step(x, y)
        print(ep, loss.item(), miou(engine.net, val, 21))  # check: train-mode-not-restored
