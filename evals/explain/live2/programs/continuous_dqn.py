import gymnasium as gym
from stable_baselines3 import DQN

RUN = {"env": "Pendulum-v1", "steps": 200, "rate": 1e-3}


def train(run):
    env = gym.make(run["env"])
    agent = DQN("MlpPolicy", env, learning_rate=run["rate"], buffer_size=500, device="cpu")
    agent.learn(run["steps"])
    return agent


train(RUN)
