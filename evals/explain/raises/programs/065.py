# argument: eval_gradient=True
import numpy as np
from sklearn.gaussian_process.kernels import ExpSineSquared

x = np.ones((3, 1))
values = ExpSineSquared()(x, np.zeros((2, 1)), eval_gradient=True)
