# argument: eval_gradient=True
import numpy as np
from sklearn.gaussian_process.kernels import RBF

x = np.ones((3, 1))
values, slope = RBF()(x, x[:2], eval_gradient=True)
