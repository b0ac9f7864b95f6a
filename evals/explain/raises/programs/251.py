# argument: -1
from scipy.cluster.hierarchy import ClusterNode

nodes = [ClusterNode(n) for n in range(-1, 2)]
