# argument: rows
import numpy as np
import scipy.sparse as sp
from sklearn.utils.sparsefuncs import csc_median_axis_0

rows = sp.csr_array(np.eye(3))
medians = csc_median_axis_0(rows)
