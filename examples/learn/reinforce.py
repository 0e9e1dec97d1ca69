"""A small agent that learns Chromino by playing against itself, and then beats the random bot.

    pip install 'chromino[rl]'
    python examples/learn/reinforce.py                  # learns for a minute or two, then plays 4,000 games
    python examples/learn/reinforce.py --load agent.npz # plays 4,000 games with saved weights

The policy scores each legal action separately: a few numbers from the action's row go through a small network to one
score, and a softmax turns the scores into probabilities. So it doesn't matter how many actions there are, or how large
the table is. REINFORCE adjusts the weights: choices from won games become more likely, and those from lost games become
less likely.
"""

import argparse
import time

import numpy as np

from chromino import ChrominoError, Kind
from chromino.env import ACTION, TABLE, TILES, AgainstBots, env

HIDDEN = 16
KINDS = np.array([[tile.kind is kind for kind in Kind] for tile in TILES], float)
ON_TILE = np.array([[color in tile.colors for color in "RGBYP"] for tile in TILES], float)


def describe(observation, legal):
    """Numbers that describe the legal actions, one row per action."""
    rows = observation["actions"][legal]
    tile = rows[:, ACTION.TILE] - 1
    hand = observation["hands"][0].astype(float)
    colors = ON_TILE[tile]
    in_hand = ON_TILE.T @ hand / max(hand.sum(), 1)  # For each color, the share of my tiles that have it.
    unseen = ON_TILE.T @ observation["unseen"] / max(observation["unseen"].sum(), 1)  # And of the tiles I can't see.
    places = (tile[:, None] == tile).sum(axis=1)  # How many places this action's tile has.
    table = observation["table"]
    middle = table[: observation["turn"][1], [TABLE.X, TABLE.Y]].mean(axis=0)
    distance = np.abs(rows[:, [ACTION.X, ACTION.Y]] - middle).sum(axis=1)
    return np.column_stack(
        [
            KINDS[tile],
            rows[:, ACTION.CONTACTS] / 4,
            rows[:, ACTION.POINTS] / 10,
            np.log(places),
            colors @ in_hand,
            colors @ unseen,
            distance / 10,
            np.full(len(legal), hand.sum() / 8),
            np.full(len(legal), observation["players"][1:, 0].min(initial=80) / 8),
        ]
    )


class Agent:
    """Scores actions: features go through one hidden layer to one number."""

    def __init__(self, rng, features):
        self.weights = [rng.normal(0, 0.3, (features, HIDDEN)), np.zeros(HIDDEN), np.zeros(HIDDEN)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.updates = 0

    def chances(self, features):
        """The probability of each action, and the output of the hidden layer."""
        inner, bias, outer = self.weights
        hidden = np.tanh(features @ inner + bias)
        scores = hidden @ outer
        chances = np.exp(scores - scores.max())
        return chances / chances.sum(), hidden

    def gradient(self, features, chosen, reward):
        """The gradient of the log probability of the chosen action, times the reward."""
        chances, hidden = self.chances(features)
        by_score = -chances
        by_score[chosen] += 1
        by_score *= reward
        by_hidden = np.outer(by_score, self.weights[2]) * (1 - hidden**2)
        return [features.T @ by_hidden, by_hidden.sum(axis=0), hidden.T @ by_score]

    def learn(self, gradients, rate):
        """Take one step of gradient ascent, with Adam."""
        self.updates += 1
        for weight, (mean, square), gradient in zip(self.weights, self.moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            correction = np.sqrt(1 - 0.99**self.updates) / (1 - 0.9**self.updates)
            weight += rate * correction * mean / (np.sqrt(square) + 1e-8)


def play_itself(table, agent, rng):
    """Play one game, and return the decisions and the reward of each seat."""
    decisions = {name: [] for name in table.possible_agents}
    table.reset()
    while not table.game.over:
        name = table.agent_selection
        seen = table.last()[0]
        legal = np.flatnonzero(seen["action_mask"])
        chosen = 0
        if len(legal) > 1:
            features = describe(seen["observation"], legal)
            chances, _ = agent.chances(features)
            chosen = min(int(np.searchsorted(chances.cumsum(), rng.random())), len(legal) - 1)
            decisions[name].append((features, chosen))
        table.step(legal[chosen])
    return [(decisions[name], table.rewards[name]) for name in table.possible_agents]


def train(rules, games, batch, rate, check, seed):
    """Train an agent by letting it play this many games against itself."""
    rng = np.random.default_rng(seed)
    table = env(rules=rules, players=2, skip_forced=True)
    table.reset(seed=seed)
    seen = table.last()[0]
    agent = Agent(rng, describe(seen["observation"], np.flatnonzero(seen["action_mask"])).shape[1])
    started = time.process_time()
    for played in range(batch, games + 1, batch):
        sums = [np.zeros_like(weight) for weight in agent.weights]
        n_decisions = 0
        for _ in range(batch):
            for decisions, reward in play_itself(table, agent, rng):
                for features, chosen in decisions:
                    n_decisions += 1
                    for total, part in zip(sums, agent.gradient(features, chosen, reward), strict=True):
                        total += part
        agent.learn([total / max(n_decisions, 1) for total in sums], rate * (1 - played / (games + batch)))
        if check and played % max(games // 10 // batch * batch, batch) == 0:
            won, error = match(agent, rules, check, seed + played)
            spent = time.process_time() - started
            print(f"{played:6,} games, {spent:4.0f} s of CPU: won {won:.3f} ± {error:.3f} against random", flush=True)
    return agent


def match(agent, rules, games, seed):
    """Play the highest-scoring actions against the random bot. Returns the share of wins and its standard error."""
    table = AgainstBots("random", rules=rules, skip_forced=True)
    shares = []
    for number in range(games):
        observation, info = table.reset(seed=seed if number == 0 else None)
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            chances, _ = agent.chances(describe(observation, legal))
            observation, reward, over, _, info = table.step(legal[chances.argmax()])
        shares.append((1 + reward) / 2)
    return np.mean(shares), np.std(shares) / np.sqrt(games)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--games", type=int, default=12_000, help="games to learn from")
    parser.add_argument("--batch", type=int, default=50, help="games per update of the weights")
    parser.add_argument(
        "--rate", type=float, default=0.01, help="how large the updates are at first; later ones are smaller"
    )
    parser.add_argument(
        "--check", type=int, default=200, help="games against the random bot, ten times during training"
    )
    parser.add_argument("--match", type=int, default=4_000, help="games against the random bot at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="agent.npz")
    parser.add_argument("--load", help="weights to play with, instead of learning")
    choices = parser.parse_args()
    try:
        play(choices)
    except (ChrominoError, OSError) as error:
        parser.error(str(error))


def play(choices):
    if choices.load:
        with np.load(choices.load) as saved:
            agent = Agent(np.random.default_rng(0), 1)
            agent.weights = [saved[name] for name in saved.files]
    else:
        agent = train(choices.rules, choices.games, choices.batch, choices.rate, choices.check, choices.seed)
        np.savez(choices.save, *agent.weights)
    won, error = match(agent, choices.rules, choices.match, seed=choices.seed + 10**6)
    print(f"after learning: won {won:.3f} ± {error:.3f} of {choices.match:,} games against random")


if __name__ == "__main__":
    main()
