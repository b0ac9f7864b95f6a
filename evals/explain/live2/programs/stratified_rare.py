import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

features = np.arange(24, dtype=float).reshape(12, 2)
species = np.array(
    ["oak", "elm", "oak", "oak", "elm", "ash", "oak", "elm", "elm", "oak", "oak", "elm"]
)


def split(features, species, share):
    return train_test_split(features, species, test_size=share, stratify=species, random_state=0)


train, test, train_species, test_species = split(features, species, 0.25)
print(LogisticRegression().fit(train, train_species).score(test, test_species))
