# argument: 3
from scipy.cluster.hierarchy import ClusterNode

leaf = ClusterNode(0)
smaller = leaf < 3
