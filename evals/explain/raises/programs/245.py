# argument: [1.0, 2.0]
from kornia.geometry.liegroup import Se2, So2

rotation = So2.identity()
pose = Se2(rotation, [1.0, 2.0])
