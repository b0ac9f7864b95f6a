"""Low-rank adapters for a digit classifier, merged for deployment, after https://github.com/hao-ai-lab/FastVideo/pull/870."""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(27)


def digits():
    x, y = load_digits(return_X_y=True)
    train_x, test_x, train_y, test_y = train_test_split(x / 16, y, test_size=0.4, random_state=1, stratify=y)
    return [(torch.tensor(x, dtype=torch.float32), torch.tensor(y)) for x, y in ((train_x, train_y), (test_x, test_y))]


def turned(part):
    """The same digits, lying on their side and with ink and paper swapped."""
    x, y = part
    return 1 - x.view(-1, 8, 8).rot90(1, (1, 2)).flatten(1), y


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base, self.rank, self.alpha = base, rank, alpha
        self.base.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scaling = alpha / rank
        self.merged = False

    def forward(self, x):
        output = self.base(x)
        if not self.merged:
            output = output + self.scaling * F.linear(F.linear(x, self.lora_A), self.lora_B)
        return output

    @torch.no_grad()
    def merge_lora_weights(self):
        self.base.weight += self.lora_B @ self.lora_A  # any: -
        self.merged = True


class Classifier(nn.Module):
    def __init__(self, hidden=96):
        super().__init__()
        self.first = nn.Linear(64, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.head = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.head(F.relu(self.second(F.relu(self.first(x)))))


def inject(model, rank=8, alpha=32):
    model.requires_grad_(False)
    for name, module in list(model.named_children()):
        setattr(model, name, LoRALinear(module, rank, alpha))


def merge(model):
    for module in model.children():
        if isinstance(module, LoRALinear):
            module.merge_lora_weights()


def export(model):
    """A plain classifier with the weights of the adapted one."""
    plain = Classifier()
    for name, module in model.named_children():
        getattr(plain, name).load_state_dict(module.base.state_dict())
    return plain


def train(model, part, epochs, rate):
    loader = DataLoader(TensorDataset(*part), batch_size=32, shuffle=True)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=rate)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 8 == 7:
            print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")


@torch.no_grad()
def evaluate(model, part):
    logits = model(part[0])
    return (logits.argmax(1) == part[1]).float().mean().item(), F.cross_entropy(logits, part[1]).item()


train_part, test_part = digits()
model = Classifier()
train(model, train_part, 16, 2e-3)
print("base accuracy {:.4f} nll {:.4f}".format(*evaluate(model, test_part)))
print("turned digits accuracy {:.4f} nll {:.4f}".format(*evaluate(model, turned(test_part))))
inject(model)
train(model, turned(train_part), 24, 1e-3)
print("adapted accuracy {:.4f} nll {:.4f}".format(*evaluate(model, turned(test_part))))
merge(model)
plain = export(model)
print("exported accuracy {:.4f} nll {:.4f}".format(*evaluate(plain, turned(test_part))))
print(f"checksum {sum(p.double().sum() for p in plain.parameters()).item():.6f}")
