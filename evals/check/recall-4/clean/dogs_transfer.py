import copy

import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torchvision import datasets, models, transforms

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
tf = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.5] * 3)])
sets = {x: datasets.ImageFolder(f"dogs/{x}", tf) for x in ("train", "val")}
loaders = {x: torch.utils.data.DataLoader(sets[x], batch_size=32, shuffle=x == "train", num_workers=4) for x in sets}


def train_model(model, criterion, optimizer, scheduler, num_epochs=25):
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc, history = 0.0, {"train": [], "val": []}
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in loaders[phase]:
                inputs, labels = inputs.to(device), labels.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()
            epoch_loss = running_loss / len(sets[phase])
            epoch_acc = running_corrects.double() / len(sets[phase])
            history[phase].append((epoch_loss, epoch_acc.item()))
            if phase == "val" and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_model_wts = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_model_wts)
    return model, history


def visualize_model(model, num_images=6):
    was_training = model.training
    model.eval()
    shown = []
    with torch.no_grad():
        for inputs, labels in loaders["val"]:
            outputs = model(inputs.to(device))
            shown += list(zip(inputs.cpu(), outputs.argmax(1).tolist()))
            if len(shown) >= num_images:
                break
    model.train(mode=was_training)
    return shown


model_ft = models.resnet18(weights=models.ResNet18_Weights.IMAGENET1K_V1)
model_ft.fc = nn.Linear(model_ft.fc.in_features, len(sets["train"].classes))
model_ft = model_ft.to(device)
optimizer_ft = torch.optim.SGD(model_ft.parameters(), lr=0.001, momentum=0.9)
model_ft, _ = train_model(
    model_ft, nn.CrossEntropyLoss(), optimizer_ft, lr_scheduler.StepLR(optimizer_ft, step_size=7, gamma=0.1)
)
visualize_model(model_ft)
torch.save(model_ft.state_dict(), "dogs.pth")

model_conv = models.resnet18(weights="DEFAULT")
for param in model_conv.parameters():
    param.requires_grad = False
model_conv.fc = nn.Linear(model_conv.fc.in_features, 2)
model_conv = model_conv.to(device).eval()
head = torch.optim.SGD(model_conv.fc.parameters(), lr=0.01)
for inputs, labels in loaders["train"]:
    head.zero_grad()
    nn.functional.cross_entropy(model_conv(inputs.to(device)), labels.to(device)).backward()
    head.step()
