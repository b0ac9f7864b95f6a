# argument: iter=0
import numpy as np
from scipy.cluster.vq import kmeans

points = np.random.default_rng(0).normal(size=(20, 2))
centers, distortion = kmeans(points, 3, iter=0)
