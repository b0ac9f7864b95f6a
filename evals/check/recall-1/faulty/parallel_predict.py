import multiprocessing as mp

import torch
from torchvision.models import resnet34, ResNet34_Weights

device = torch.device('cuda')
model = resnet34(weights=ResNet34_Weights.DEFAULT).to(device).eval()


def worker(rank, jobs, results):
    while True:
        job = jobs.get()
        if job is None:
            break
        name, batch = job
        with torch.no_grad():
            out = model(batch.to(device))
        results.put((name, out.argmax(1).cpu().numpy()))


def predict_all(batches, n=4):
    jobs, results = mp.Queue(), mp.Queue()
    procs = [mp.Process(target=worker, args=(i, jobs, results)) for i in range(n)]  # check: cuda-in-forked-process
    for p in procs:
        p.start()
    for name, batch in batches.items():
        jobs.put((name, batch))
    for _ in procs:
        jobs.put(None)
    found = dict(results.get() for _ in batches)
    for p in procs:
        p.join()
    return found


if __name__ == '__main__':
    print(predict_all({str(i): torch.rand(8, 3, 224, 224) for i in range(20)}))
