"""Plays the most awkward tile, which fits in the fewest places, and saves chameleons for last."""

import json
import sys
from collections import Counter


def tile(placement):
    return min(placement[:3], placement[2::-1])  # It's the same tile from either end.


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        actions = message["view"]["actions"]
        places = Counter(map(tile, actions))
        action = min(actions, key=lambda action: ("*" in action, places[tile(action)]))
        print(json.dumps({"action": action}), flush=True)
