# argument: "one text"
from sklearn.feature_extraction.text import HashingVectorizer

hashed = HashingVectorizer().transform("one text")
