import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

frame = pd.DataFrame({"age": [22, 38, 26, 35], "fare": [7.2, 71.3, 7.9, 53.1], "sex": ["m", "f", "f", "f"], "survived": [0, 1, 1, 1]})
numeric = ["Age", "fare"]
categorical = ["sex"]
columns = ColumnTransformer([("num", StandardScaler(), numeric), ("cat", OneHotEncoder(), categorical)])
model = make_pipeline(columns, RandomForestClassifier(n_estimators=5))
model.fit(frame.drop(columns="survived"), frame["survived"])
