import torch
import torch.nn as nn
from torchvision import models, transforms
from PIL import Image

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
norm = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
load = transforms.Compose([transforms.Resize((256, 256)), transforms.ToTensor(), norm])


def image(path):
    return load(Image.open(path).convert('RGB')).unsqueeze(0).to(device)


vgg = models.vgg19(weights=models.VGG19_Weights.DEFAULT).features.to(device).eval()
for p in vgg.parameters():
    p.requires_grad_(False)


def features(x, layers=(0, 5, 10, 19, 28)):
    out = []
    for i, layer in enumerate(vgg):
        x = layer(x)
        if i in layers:
            out.append(x)
    return out


def gram(f):
    b, c, h, w = f.shape
    f = f.view(c, h * w)
    return f @ f.t() / (c * h * w)


content, style = image('content.jpg'), image('style.jpg')
target_grams = [gram(f) for f in features(style)]
target_content = features(content)[3]

img = content.clone().requires_grad_(True) + 0.01 * torch.randn_like(content)
opt = torch.optim.LBFGS([img])  # check: nonleaf-optimized

for step in range(30):
    def closure():
        opt.zero_grad()
        fs = features(img)
        c = nn.functional.mse_loss(fs[3], target_content)
        s = sum(nn.functional.mse_loss(gram(f), g) for f, g in zip(fs, target_grams))
        loss = c + 1e5 * s
        loss.backward(retain_graph=True)  # check: retain-graph-needless
        return loss
    opt.step(closure)
