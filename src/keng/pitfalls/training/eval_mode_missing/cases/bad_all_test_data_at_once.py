# all test data at once, behind the training
import torch
from torch import nn


class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 8, num_layers=2, dropout=0.2, batch_first=True)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(self.lstm(x)[0][:, -1])


torch.manual_seed(0)
x_train, y_train, x_test = torch.randn(32, 5, 1), torch.randn(32, 1), torch.randn(16, 5, 1)
model = Forecast()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x_train), y_train).backward()
    optimizer.step()
with torch.no_grad():
    guess = model(x_test)  # check: the dropout of the LSTM is on
    again = model(x_test)  # check: so that no two are alike

# proof
assert not torch.equal(guess, again)
