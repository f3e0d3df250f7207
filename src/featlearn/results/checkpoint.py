"""A trajectory under way, on disk: its last position, and the records so far in parts.

    state.npz            the arrays of the state, the phase, the step and how many parts count
    records-0000.npz     what was recorded between two checkpoints

The state is renamed into place after its records are, so a kill at any moment leaves a whole
checkpoint; parts beyond those the state counts are from a later, lost moment and are ignored.
"""

import zipfile
from pathlib import Path
from typing import Any

import jax
import numpy as np

from featlearn.training import Position

Records = dict[int, dict[str, np.ndarray]]


class Checkpoint:
    """The folder of one seed's trajectory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = 0

    def save(self, position: Position, records: Records) -> None:
        """Keep a position and what was recorded since the last save."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if records:
            flat = {f"{t}|{name}": v for t, r in records.items() for name, v in r.items()}
            _write(self.folder / f"records-{self.parts:04d}.npz", flat)
            self.parts += 1
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(position.state)]
        arrays = {f"leaf-{i}": leaf for i, leaf in enumerate(leaves)}
        where = np.array([position.phase, position.step, self.parts])
        _write(self.folder / "state.npz", {**arrays, "where": where})

    def load(self, structure: Any) -> tuple[Position, Records] | None:
        """The last saved position and all records before it; None if there is none whole.

        A file that a power cut left unreadable is no reason to stop: the seed begins again.

        Args:
            structure: a function from the phase to a state of the right tree structure.
        """
        file = self.folder / "state.npz"
        if not file.exists():
            return None
        try:
            return self._load(file, structure)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            self.parts = 0
            return None

    def _load(self, file: Path, structure: Any) -> tuple[Position, Records]:
        with file.open("rb") as handle, np.load(handle) as saved:
            phase, step, self.parts = (int(n) for n in saved["where"])
            leaves = [saved[f"leaf-{i}"] for i in range(len(saved.files) - 1)]
        state = jax.tree.unflatten(jax.tree.structure(structure(phase)), leaves)
        records: Records = {}
        for part in range(self.parts):
            recorded = self.folder / f"records-{part:04d}.npz"
            with recorded.open("rb") as handle, np.load(handle) as saved:
                for key in saved.files:
                    t, name = key.split("|", 1)
                    records.setdefault(int(t), {})[name] = saved[key]
        return Position(phase=phase, step=step, state=state), records


def _write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    aside = path.with_name("." + path.name)
    with aside.open("wb") as handle:
        np.savez(handle, **arrays)  # type: ignore[arg-type]
    aside.replace(path)
