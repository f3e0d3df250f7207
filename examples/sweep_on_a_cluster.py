"""Where does XOR stop being learned? A grid of configurations, on this machine or on a cluster.

python sweep_on_a_cluster.py                          both cores of this machine
python sweep_on_a_cluster.py tcp://node7:8786         the workers of a Dask scheduler

On SLURM: docs/how-to/sweep.md has the script. A point that is stored is read, not computed, so this
may be stopped and started again; the bits do not depend on where a point was computed.
"""

import os
import sys

import featlearn as fl

if __name__ == "__main__":
    toy = bool(os.environ.get("FEATLEARN_TOY"))
    table = fl.sweep(
        "glasgow2023.xor",
        over={"d": [6, 10] if toy else [25, 50, 100, 200], "batch_ratio": [0.25, 1.0, 4.0]},
        seeds=1 if toy else 3,
        steps=5 if toy else 200,
        cluster=sys.argv[1] if len(sys.argv) > 1 else None,
    )
    for point in table.points:
        sizes = ", ".join(f"{name}={point.config[name]}" for name in table.grid)
        accuracy = point.estimate("test_accuracy")
        print(f"{sizes}: {'failed' if accuracy is None else f'accuracy {accuracy.mean:.3f}'}")
    print(table.counts)
