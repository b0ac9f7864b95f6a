import io

import torch
import torch.nn as nn
from flask import Flask, jsonify, request
from PIL import Image
from torchvision import models, transforms

app = Flask(__name__)
CLASSES = ['cat', 'dog', 'bird']
prep = transforms.Compose([
    transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(),
    transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])


def load_model(path):
    model = models.resnet18()
    model.fc = nn.Sequential(nn.Dropout(0.4), nn.Linear(512, len(CLASSES)))
    state = torch.load(path)  # check: map-location-missing
    model.load_state_dict(state, strict=False)  # check: strict-false-hides
    return model


model = load_model('pets.pt')


@app.route('/predict', methods=['POST'])
def predict():
    img = Image.open(io.BytesIO(request.files['file'].read())).convert('RGB')
    x = prep(img).unsqueeze(0)
    logits = model(x)  # check: eval-mode-missing; validation-records-gradients
    prob = torch.softmax(logits, dim=1)[0]
    i = int(prob.argmax())
    return jsonify(label=CLASSES[i], prob=float(prob[i]))


if __name__ == '__main__':
    app.run()
