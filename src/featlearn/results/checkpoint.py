"""A trajectory under way, on disk: its last position, and the records so far in parts.

    state.npz            the arrays of the state, the phase, the step, the checksums of the parts
    records-0000.npz     what was recorded between two checkpoints

The state is renamed into place after its records are, so a kill at any moment leaves a whole
checkpoint; parts beyond those the state counts are from a later, lost moment and are ignored.
"""

from pathlib import Path
from typing import Any

import jax
import numpy as np

from featlearn.results.files import file_digest
from featlearn.training import Position

Records = dict[int, dict[str, np.ndarray]]


class Checkpoint:
    """The folder of one seed's trajectory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[str] = []
        """The checksum of every part that counts."""

    def save(self, position: Position, records: Records) -> None:
        """Keep a position and what was recorded since the last save."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if records:
            flat = {f"{t}|{name}": v for t, r in records.items() for name, v in r.items()}
            part = self._part(len(self.parts))
            _write(part, flat)
            self.parts.append(file_digest(part))
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(position.state)]
        arrays = {f"leaf-{i}": leaf for i, leaf in enumerate(leaves)}
        end = -1 if position.diverged is None else position.diverged
        where = np.array([position.phase, position.step, len(self.parts), end])
        told = {"where": where, "parts": np.array(self.parts, dtype="U64")}
        _write(self.folder / "state.npz", {**arrays, **told})

    def load(self, structure: Any) -> tuple[Position, Records] | None:
        """The last saved position and all records before it; None if there is none whole.

        A file that a power cut left unreadable, in whatever way, is no reason to stop: the seed
        begins again.

        Args:
            structure: a function from the phase to a state of the right tree structure.
        """
        file = self.folder / "state.npz"
        if not file.exists():
            return None
        try:
            return self._load(file, structure)
        except Exception:
            self.parts = []
            return None

    def _load(self, file: Path, structure: Any) -> tuple[Position, Records]:
        with file.open("rb") as handle, np.load(handle) as saved:
            phase, step, parts, end = (int(n) for n in saved["where"])
            told = "parts" in saved.files  # parts that were saved without are trusted
            checksums = saved["parts"] if told else map(file_digest, map(self._part, range(parts)))
            self.parts = [str(checksum) for checksum in checksums]
            names = [name for name in saved.files if name.startswith("leaf-")]
            leaves = [saved[f"leaf-{i}"] for i in range(len(names))]
        like, tree = jax.tree.flatten(structure(phase))
        state = jax.tree.unflatten(tree, leaves)
        whole = list(map(np.shape, leaves)) == list(map(np.shape, like))
        records: Records = {}
        for place, checksum in enumerate(self.parts):
            whole = whole and file_digest(self._part(place)) == checksum
            with self._part(place).open("rb") as handle, np.load(handle) as saved:
                for key in saved.files:
                    t, name = key.split("|", 1)
                    records.setdefault(int(t), {})[name] = saved[key]
        if not whole:
            raise ValueError("files of another trajectory")
        diverged = None if end < 0 else end
        return Position(phase=phase, step=step, state=state, diverged=diverged), records

    def _part(self, place: int) -> Path:
        return self.folder / f"records-{place:04d}.npz"


def _write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    aside = path.with_name("." + path.name)
    try:
        with aside.open("wb") as handle:
            np.savez(handle, **arrays)  # type: ignore[arg-type]
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
