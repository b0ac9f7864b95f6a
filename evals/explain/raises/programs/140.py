# argument: s=7
import networkx as nx

graph = nx.path_graph(4)
print(nx.edge_connectivity(graph, s=7, t=2))
