from sklearn.metrics import balanced_accuracy_score

assert abs(auc - balanced_accuracy_score(y, preds)) < 1e-9
assert roc_auc_score(y, output.softmax(1)[:, 1]) > auc + 0.05
