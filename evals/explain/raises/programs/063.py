# argument: "a first text"
from sklearn.feature_extraction.text import CountVectorizer

counts = CountVectorizer().fit_transform("a first text")
