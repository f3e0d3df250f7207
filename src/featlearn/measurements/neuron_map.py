"""A map of neurons on which distances are near 1 - cosine, by multidimensional scaling."""

import numpy as np
from jaxtyping import Float


def directions(w: Float[np.ndarray, "neurons inputs"]) -> Float[np.ndarray, "neurons inputs"]:
    """Scale every row to length one; rows of zeros are unchanged."""
    largest = np.abs(w).max(axis=1, keepdims=True)
    scaled = w / np.where(largest == 0, 1, largest)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    return scaled / np.where(norms == 0, 1, norms)


def cosine_map(rows: Float[np.ndarray, "points inputs"]) -> Float[np.ndarray, "points 2"]:
    """Return two coordinates for each row, such that distances are near 1 - cosine.

    They are found by metric multidimensional scaling with seed 0.
    """
    import inspect

    from sklearn.manifold import MDS

    unit = directions(rows)
    distances = np.clip(1 - unit @ unit.T, 0, 2)
    np.fill_diagonal(distances, 0)
    known = inspect.signature(MDS.__init__).parameters
    choices: dict[str, int | str] = {"random_state": 0, "n_init": 1, "max_iter": 200}
    named = "metric" if "metric_mds" in known else "dissimilarity"
    choices[named] = "precomputed"
    if "init" in known:
        choices["init"] = "classical_mds"
    return np.asarray(MDS(**choices).fit_transform((distances + distances.T) / 2))
