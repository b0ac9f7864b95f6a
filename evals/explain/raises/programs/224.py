# argument: scipy.sparse
import numpy as np
import scipy.sparse as sparse
from sklearn.utils.sparsefuncs import sparse_matmul_to_dense

rows = sparse.csr_array(np.eye(3))
columns = sparse.csr_array(np.eye(3, dtype=np.float32))
product = sparse_matmul_to_dense(rows, columns)
