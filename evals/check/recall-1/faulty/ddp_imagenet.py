import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision import datasets, models, transforms


def main():
    dist.init_process_group('nccl')
    rank = dist.get_rank()
    local_rank = int(os.environ['LOCAL_RANK'])
    torch.cuda.set_device(local_rank)

    tf = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    train = datasets.ImageFolder('imagenet/train', tf)
    val = datasets.ImageFolder('imagenet/val', tf)  # check: evaluation-augmented
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=64, sampler=sampler, num_workers=8, pin_memory=True)
    val_sampler = DistributedSampler(val, shuffle=False)
    val_loader = DataLoader(val, batch_size=64, sampler=val_sampler, num_workers=8, pin_memory=True)

    model = DDP(models.resnet50(weights=None).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30, 0.1)

    for epoch in range(90):
        model.train()
        for images, target in loader:  # check: sampler-epoch-not-set
            images = images.cuda(local_rank, non_blocking=True)
            target = target.cuda(local_rank, non_blocking=True)
            loss = F.cross_entropy(model(images), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()

        model.eval()
        correct = torch.zeros(1, device='cuda')
        with torch.no_grad():
            for images, target in val_loader:
                out = model(images.cuda(local_rank, non_blocking=True))
                correct += (out.argmax(1) == target.cuda(local_rank, non_blocking=True)).sum()
        if local_rank == 0:
            dist.all_reduce(correct)  # check: collective-on-one-rank
            print(epoch, (correct / len(val)).item())  # check: metrics-over-padding
        torch.save({'model': model.module.state_dict(), 'optimizer': optimizer.state_dict(),
                    'scheduler': scheduler.state_dict(), 'epoch': epoch}, 'last.pth')  # check: saved-on-every-rank
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
