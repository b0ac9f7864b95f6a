# argument: distances
import numpy as np
from scipy.cluster.hierarchy import linkage

distances = np.array([1.0, np.nan, 2.0])
tree = linkage(distances)
