# argument: [0, 5]
import networkx as nx

tree = nx.from_prufer_sequence([0, 5])
