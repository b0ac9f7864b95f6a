# the rows of a file up to a number, and those from it on
import torch


def read_mesh(lines):
    num_vertex = int(lines[0])
    num_face = int(lines[1])
    contents = lines[2:]
    vertices = contents[:num_vertex]
    faces = contents[num_vertex:]
    return torch.tensor([float(v) for v in vertices]), torch.tensor([int(f) for f in faces])


read_mesh(["2", "1", "0.5", "1.5", "0"])
