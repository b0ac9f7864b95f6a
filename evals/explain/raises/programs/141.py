# argument: [1, 9]
import networkx as nx

graph = nx.path_graph(4)
print(nx.group_betweenness_centrality(graph, [1, 9]))
