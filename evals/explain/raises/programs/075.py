# argument: n_clusters=8
import numpy as np
from sklearn.cluster import KMeans

points = np.random.default_rng(0).normal(size=(5, 2))
labels = KMeans(n_clusters=8).fit_predict(points)
