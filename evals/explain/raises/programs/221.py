# argument: np.float64(3.0)
import numpy as np
from sklearn.linear_model import LinearRegression

model = LinearRegression()
model.fit(np.float64(3.0), np.zeros(3))
