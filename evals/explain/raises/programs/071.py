# argument: columns
import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs import count_nonzero

columns = sp.csc_array(np.eye(3))
print(count_nonzero(columns))
