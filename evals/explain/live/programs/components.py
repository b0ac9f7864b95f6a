import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

N_COMPONENTS = 50

spectra = np.random.default_rng(2).normal(size=(30, 200))
labels = np.arange(30) % 3
pipeline = Pipeline(
    [("scale", StandardScaler()), ("pca", PCA(n_components=N_COMPONENTS)), ("svm", SVC(C=10))]
)
pipeline.fit(spectra, labels)
print(pipeline.score(spectra, labels))
