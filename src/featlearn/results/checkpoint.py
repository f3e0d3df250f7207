"""Checkpoints of a training run: its last position, and its records so far in several files.

    state.npz            the arrays of the state, the phase, the step, the checksums of the parts
    records-0000.npz     what was recorded between two checkpoints

The file of the state is renamed into place after the files of its records have been written, so
that the checkpoint is complete even if the process is killed at any moment. Files of records that
the state does not list were written just before such a kill and are ignored.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxtyping import PyTree

from featlearn.results.codec import load, save
from featlearn.results.files import file_digest
from featlearn.training import Position

Records = dict[int, dict[str, np.ndarray]]


class Checkpoint:
    """The checkpoint folder of one seed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[str] = []
        """The checksums of the parts that belong to the checkpoint."""

    def save(self, position: Position, records: Records) -> None:
        """Save a position, and the records since the last save."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if records:
            part = self._part(len(self.parts))
            _write(part, _stacked(records))
            self.parts.append(file_digest(part))
        state = {
            "phase": position.phase,
            "step": position.step,
            "diverged": position.diverged,
            "parts": self.parts,
            "leaves": [np.asarray(leaf) for leaf in jax.tree.leaves(position.state)],
        }
        _write(self.folder / "state.npz", state)

    def load(self, structure: Callable[[int], PyTree]) -> tuple[Position, Records] | None:
        """Return the last saved position and all records before it; None without a checkpoint.

        An unreadable file, for example after a power cut, is not an error: None is returned, and
        the seed is trained from the start.

        Args:
            structure: phase -> a state with the tree structure of that phase.
        """
        file = self.folder / "state.npz"
        if not file.exists():
            return None
        try:
            return self._load(file, structure)
        except Exception:
            self.parts = []
            return None

    def _load(self, file: Path, structure: Callable[[int], PyTree]) -> tuple[Position, Records]:
        saved = load(file)
        phase, leaves = int(saved["phase"]), saved["leaves"]
        self.parts = [str(checksum) for checksum in saved["parts"]]
        like, tree = jax.tree.flatten(structure(phase))
        whole = list(map(np.shape, leaves)) == list(map(np.shape, like))
        records: Records = {}
        for place, checksum in enumerate(self.parts):
            whole = whole and file_digest(self._part(place)) == checksum
            records.update(_unstacked(load(self._part(place))))
        if not whole:
            raise ValueError("files of another trajectory")
        position = Position(
            phase=phase,
            step=int(saved["step"]),
            state=jax.tree.unflatten(tree, leaves),
            diverged=saved["diverged"],
        )
        return position, records

    def _part(self, place: int) -> Path:
        return self.folder / f"records-{place:04d}.npz"


def _stacked(records: Records) -> dict[str, object]:
    """Stack the records of all steps: one array per quantity, with the steps as its first axis."""
    names = next(iter(records.values()))
    arrays = {name: np.stack([each[name] for each in records.values()]) for name in names}
    return {"steps": list(records), "arrays": arrays}


def _unstacked(saved: dict[str, Any]) -> Records:
    names = saved["arrays"].items()
    return {
        int(step): {name: np.array(array[place]) for name, array in names}
        for place, step in enumerate(saved["steps"])
    }


def _write(path: Path, value: object) -> None:
    aside = path.with_name("." + path.name)
    try:
        aside.unlink(missing_ok=True)
        save(aside, value, compressed=False)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
