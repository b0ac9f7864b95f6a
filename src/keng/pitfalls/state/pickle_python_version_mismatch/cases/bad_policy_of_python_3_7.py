# what another Python or NumPy has pickled is read by this one
# needs: stable_baselines3
from stable_baselines3 import PPO

model = PPO.load("ppo_of_python_3_7.zip")
