from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

GRID = {"C": [0.1, 1, 10], "svm__kernel": ["rbf"]}
pipe = Pipeline([("scale", StandardScaler()), ("svm", SVC())])
x, y = load_iris(return_X_y=True)
search = GridSearchCV(pipe, GRID, cv=3)
search.fit(x, y)
print(search.best_params_)
