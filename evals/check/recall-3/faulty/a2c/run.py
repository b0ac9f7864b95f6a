import gymnasium as gym
import numpy as np
import torch

from agents import RecurrentA2C


def main(env_id="CartPole-v1", updates=10_000, horizon=5):
    torch.manual_seed(0)
    env = gym.make(env_id)
    agent = RecurrentA2C(env.observation_space.shape[0], env.action_space.n)
    obs, _ = env.reset(seed=0)
    history = []
    total = 0.0
    for update in range(updates):
        for _ in range(horizon):
            obs, reward, done, cut, _ = env.step(agent.act(obs))
            agent.observe(reward)
            total += reward
            if done or cut:
                history.append(total)
                total = 0.0
                obs, _ = env.reset()
        agent.learn()
        if update % 100 == 0:
            print(update, np.mean(history[-20:]))


if __name__ == "__main__":
    main()
