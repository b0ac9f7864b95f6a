# argument: n_clusters=2
import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage

links = linkage(np.random.default_rng(0).normal(size=(6, 2)))
labels = cut_tree(links, n_clusters=2, height=1.0)
