# argument: n_components="mle"
import numpy as np
from sklearn.decomposition import PCA

few = np.random.default_rng(0).normal(size=(4, 10))
reduced = PCA(n_components="mle", svd_solver="full").fit_transform(few)
