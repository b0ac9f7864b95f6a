import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold, cross_val_score

FOLDS = 10
rng = np.random.default_rng(0)
houses = rng.normal(size=(8, 3))
prices = houses @ np.array([1.0, -2.0, 0.5])


def evaluate(model, folds):
    splitter = KFold(folds, shuffle=True, random_state=0)
    return cross_val_score(model, houses, prices, cv=splitter).mean()


print(evaluate(RandomForestRegressor(n_estimators=5), FOLDS))
