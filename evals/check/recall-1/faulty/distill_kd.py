import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def mlp(*dims, p=0.2):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(p)]
    return nn.Sequential(*layers[:-2])


teacher = mlp(20, 128, 128, 5)
teacher.load_state_dict(torch.load('teacher.pt', map_location='cpu'))
student = mlp(20, 32, 5)

TEMP, ALPHA = 4.0, 0.7
opt = torch.optim.Adam(student.parameters(), lr=1e-3)
dl = DataLoader(TensorDataset(torch.randn(320, 20), torch.randint(0, 5, (320,))), 32, shuffle=True)

for epoch in range(3):
    student.train()
    teacher.eval()
    for x, y in dl:
        t = teacher(x)  # check: gradient-leaks-into-frozen or validation-records-gradients
        s = student(x)
        soft = F.kl_div(F.softmax(s / TEMP, dim=1), F.softmax(t / TEMP, dim=1)) * TEMP ** 2  # check: kl-div-wants-log
        loss = ALPHA * soft + (1 - ALPHA) * F.cross_entropy(s, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
    torch.save(student.state_dict(), 'student.pt')
