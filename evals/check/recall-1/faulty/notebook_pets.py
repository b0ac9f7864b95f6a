# %% [markdown]
# # Pets with transfer learning

# %%
import warnings
warnings.simplefilter('ignore')  # check: warnings-silenced
import torch
import torch.nn as nn
import torch.optim as optim
import torchvision
from torchvision import transforms

# %%
tfm = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()])
ds = torchvision.datasets.OxfordIIITPet('data', download=True, transform=tfm)
train_ds, valid_ds = torch.utils.data.random_split(ds, [3000, len(ds) - 3000])
train_dl = torch.utils.data.DataLoader(train_ds, 32, shuffle=True)
valid_dl = torch.utils.data.DataLoader(valid_ds, 32)

# %%
model = torchvision.models.vgg16(pretrained=True)  # check: pretrained-flag
for p in model.features.parameters():
    p.requires_grad = False
optimizer = optim.Adam(model.parameters(), lr=1e-4)
model.classifier[6] = nn.Linear(4096, 37)  # check: parameters-not-optimized
model = model.to('cuda')
criterion = nn.CrossEntropyLoss()

# %%
for epoch in range(3):
    model.train()
    for xb, yb in train_dl:
        xb = xb.to('cuda')
        yb.cuda()  # check: tensor-move-discarded
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())

# %%
model.eval()
correct = 0
for xb, yb in valid_dl:
    pred = model(xb.cuda())  # check: validation-records-gradients
    correct += (pred.argmax(1).cpu() == yb).sum().item()
print(correct / len(valid_ds))

# %%
img, label = valid_ds[0]
plot = model(img[None].cuda())[0].softmax(0).detach().cpu()
print(plot.topk(5))
