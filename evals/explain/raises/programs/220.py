# argument: strategy="kmeans"
import numpy as np
from sklearn.calibration import calibration_curve

labels = np.array([0, 1, 1, 0])
scores = np.array([0.1, 0.8, 0.7, 0.3])
true, predicted = calibration_curve.__wrapped__(labels, scores, strategy="kmeans")
