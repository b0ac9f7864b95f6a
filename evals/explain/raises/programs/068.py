# argument: out=result
import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs import sparse_matmul_to_dense

a = sp.csr_array(np.eye(3))
result = np.empty((3, 3), dtype=np.float32)
sparse_matmul_to_dense(a, a, out=result)
