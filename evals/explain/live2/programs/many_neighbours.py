import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

settings = {"n_neighbors": 15, "weights": "distance"}
rng = np.random.default_rng(3)
wines, kinds = rng.normal(size=(9, 4)), np.array([0, 1, 2] * 3)
model = make_pipeline(StandardScaler(), KNeighborsClassifier(**settings))
model.fit(wines, kinds)
print(model.predict(rng.normal(size=(2, 4))))
