import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(accelerator, model, loader):
    model.eval()
    hits = []
    for x, y in loader:
        with torch.no_grad():
            pred = model(x).argmax(-1)
        pred, y = accelerator.gather_for_metrics((pred, y))
        hits.append((pred == y).float())
    model.train()
    return torch.cat(hits).mean().item()


def main():
    accelerator = Accelerator(gradient_accumulation_steps=4)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    ds = TensorDataset(torch.randn(130, 6), torch.randint(3, (130,)))
    train, test = DataLoader(ds, 8, shuffle=True), DataLoader(ds, 32)
    sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=20)
    net, opt, train, test, sched = accelerator.prepare(net, opt, train, test, sched)
    for epoch in range(2):
        total = 0
        for x, y in train:
            with accelerator.accumulate(net):
                loss = nn.functional.cross_entropy(net(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
            total += loss.detach().float()
        acc = evaluate(accelerator, net, test)
        accelerator.print(epoch, total.item() / len(train), acc)
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        torch.save(accelerator.unwrap_model(net).state_dict(), 'net.pt')


if __name__ == '__main__':
    main()
