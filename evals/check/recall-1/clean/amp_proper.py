import torch
from torch import nn

use_amp = torch.cuda.is_available()
device = 'cuda' if use_amp else 'cpu'


def train(model, loader, optimizer, scaler, scheduler, accum=2):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        with torch.autocast(device_type=device, dtype=torch.float16, enabled=use_amp):
            loss = nn.functional.cross_entropy(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            before = scaler.get_scale()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            if scaler.get_scale() >= before:
                scheduler.step()


def save(path, model, optimizer, scheduler, scaler, epoch):
    tmp = path + '.tmp'
    torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'epoch': epoch,
                'scheduler': scheduler.state_dict(), 'scaler': scaler.state_dict()}, tmp)
    import os
    os.replace(tmp, path)


def resume(path, model, optimizer, scheduler, scaler):
    state = torch.load(path, map_location='cpu')
    model.load_state_dict(state['model'])
    optimizer.load_state_dict(state['optimizer'])
    scheduler.load_state_dict(state['scheduler'])
    scaler.load_state_dict(state['scaler'])
    return state['epoch'] + 1


model = nn.Sequential(nn.Conv2d(1, 8, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 4)).to(device)
data = torch.utils.data.TensorDataset(torch.randn(64, 1, 8, 8), torch.randint(4, (64,)))
loader = torch.utils.data.DataLoader(data, 8, shuffle=True, pin_memory=use_amp)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=20)
scaler = torch.amp.GradScaler(device, enabled=use_amp)
for epoch in range(3):
    train(model, loader, optimizer, scaler, scheduler)
    save('amp.pt', model, optimizer, scheduler, scaler, epoch)
