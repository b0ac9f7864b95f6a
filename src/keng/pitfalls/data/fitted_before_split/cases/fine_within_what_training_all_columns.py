# within the training part; all columns; only displayed; a final model; parts without a test; each sample by itself; in a pipeline
import torch
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from torch.utils.data import TensorDataset, random_split

torch.manual_seed(0)
x, y = torch.randn(80, 400), torch.arange(80) % 2
best = SelectKBest(k=20).fit(x, y)
print(best.scores_.max(), SelectKBest(k=20).fit_transform(x, y).shape)
kept, x_test, y_kept, y_test = train_test_split(x, y, random_state=0)
selector = SelectKBest(k=20)
chosen = selector.fit_transform(kept, y_kept)
x_train, x_val, y_train, y_val = train_test_split(chosen, y_kept, random_state=0)
every = SelectKBest(k="all").fit_transform(Normalizer().fit_transform(x), y)
first_train, first_test = train_test_split(every, random_state=0)
rows = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)
row_train, row_test = rows[:60], rows[60:]
few = TensorDataset(torch.tensor(SelectKBest(k=5).fit_transform(x, y)), y)
labelled, unlabelled = random_split(few, [40, 40])
final = LogisticRegression().fit(best.transform(x), y)
pipeline = make_pipeline(SelectKBest(k=20), LogisticRegression())
print(cross_val_score(pipeline, x, y), selector.transform(x_test).shape)
