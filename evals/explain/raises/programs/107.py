# argument: dim_emb=16
from torch_geometric.nn.models import GPSENodeEncoder

encoder = GPSENodeEncoder(dim_emb=16, dim_pe_in=32, dim_pe_out=16)
