import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

rng = np.random.default_rng(5)
x, y = rng.normal(size=(40, 6)), rng.integers(2, size=40)


def forest(trees, **more):
    return RandomForestClassifier(n_estimators=trees, random_state=0, **more)


model = forest(10, max_depth=4, max_features="auto")
model.fit(x, y)
print(model.score(x, y))
