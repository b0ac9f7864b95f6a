#!/usr/bin/env python
# coding: utf-8

# # Predicting stock prices with an LSTM

# In[1]:

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.preprocessing import MinMaxScaler
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")  # check: warnings-silenced

# In[2]:

df = pd.read_csv("AAPL.csv")
scaler = MinMaxScaler(feature_range=(-1, 1))
price = scaler.fit_transform(df[["Close"]].values)


def split_data(stock, lookback):
    data = []
    for index in range(len(stock) - lookback):
        data.append(stock[index : index + lookback])
    data = np.array(data)
    test_size = int(np.round(0.2 * data.shape[0]))
    train_size = data.shape[0] - test_size
    x_train, y_train = data[:train_size, :-1, :], data[:train_size, -1, :]
    x_test, y_test = data[train_size:, :-1], data[train_size:, -1, :]
    return x_train, y_train, x_test, y_test


lookback = 20
x_train, y_train, x_test, y_test = split_data(price, lookback)
x_train = torch.from_numpy(x_train).type(torch.Tensor)
x_test = torch.from_numpy(x_test).type(torch.Tensor)
y_train = torch.from_numpy(y_train).type(torch.Tensor)
y_test = torch.from_numpy(y_test).type(torch.Tensor)
train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=False)

# In[3]:

input_dim = 1
hidden_dim = 32
num_layers = 2
output_dim = 1
num_epochs = 100


class LSTM(nn.Module):
    def __init__(self, input_dim, hidden_dim, num_layers, output_dim):
        super(LSTM, self).__init__()
        self.hidden_dim = hidden_dim
        self.num_layers = num_layers
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, dropout=0.2)
        self.fc = nn.Linear(hidden_dim, output_dim)

    def forward(self, x):
        h0 = Variable(torch.zeros(self.num_layers, x.size(0), self.hidden_dim))  # check: variable-api
        c0 = torch.zeros(self.num_layers, x.size(0), self.hidden_dim)
        out, (hn, cn) = self.lstm(x, (h0, c0))  # check: rnn-batch-first
        out = self.fc(out[:, -1, :])
        return out


# In[4]:

model = LSTM(input_dim, hidden_dim, num_layers, output_dim)
criterion = torch.nn.MSELoss(size_average=True)  # check: loss-arguments-removed
optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

hist = []
for t in range(num_epochs):
    epoch_loss = 0
    for xb, yb in train_loader:
        y_train_pred = model(xb)
        loss = criterion(y_train_pred.squeeze(), yb.squeeze(-1))  # check: squeezed-without-dim
        epoch_loss += loss  # check: loss-keeps-graph
        loss.backward()  # check: zero-grad-missing
        optimiser.step()
    hist.append(epoch_loss / len(train_loader))
    print("Epoch ", t, "MSE: ", epoch_loss)

# In[5]:

y_test_pred = model(x_test)  # check: eval-mode-missing; validation-records-gradients
y_test_pred = scaler.inverse_transform(y_test_pred.detach().numpy())
y_test = scaler.inverse_transform(y_test.detach().numpy())
testScore = np.sqrt(((y_test[:, 0] - y_test_pred[:, 0]) ** 2).mean())
print("Test Score: %.2f RMSE" % (testScore))

plt.plot(y_test, label="Real")
plt.plot(y_test_pred, label="Predicted")
plt.legend()
plt.show()
