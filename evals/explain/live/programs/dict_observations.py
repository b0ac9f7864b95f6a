import gymnasium as gym
import numpy as np
from gymnasium import spaces
from stable_baselines3 import PPO


class Robot(gym.Env):
    def __init__(self):
        box = spaces.Box(-1.0, 1.0, (3,), dtype=np.float32)
        self.observation_space = spaces.Dict({"arm": box, "goal": box})
        self.action_space = spaces.Box(-1.0, 1.0, (2,), dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 0.0, False, True, {}


env = Robot()
agent = PPO("MlpPolicy", env, n_steps=16, batch_size=8, device="cpu")
agent.learn(32)
