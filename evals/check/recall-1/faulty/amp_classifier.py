import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader


def train_one_epoch(model, loader: DataLoader, optimizer, scaler, criterion, clip=1.0):
    model.train()
    seen = loss_sum = 0
    for images, targets in loader:
        images = images.cuda(non_blocking=True)  # check: non-blocking-without-pinning
        targets = targets.cuda()
        optimizer.zero_grad()
        with autocast():  # check: api-deprecated
            loss = criterion(model(images), targets)
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)  # check: amp-order
        scaler.step(optimizer)
        scaler.update()
        loss_sum += loss.item() * len(images)
        seen += len(images)
    return loss_sum / seen


def save(path, model, optimizer, epoch):
    torch.save({'epoch': epoch, 'model': model.state_dict(), 'optimizer': optimizer.state_dict()}, path)


def main(model, dataset, epochs):
    loader = DataLoader(dataset, batch_size=128, shuffle=True, num_workers=4)
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
    scaler = GradScaler()  # check: api-deprecated
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(epochs):
        print(train_one_epoch(model, loader, optimizer, scaler, criterion))
        scheduler.step()  # check: scheduler-before-optimizer
        save('last.pt', model, optimizer, epoch)
