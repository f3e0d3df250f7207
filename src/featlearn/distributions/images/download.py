"""Download the official files of an image set and check them by their checksums.

A file is written under the name ``<file>.part`` and gets its final name when its checksum is
correct. If a download is interrupted, the ``.part`` file stays, and the next attempt asks the
server for the remaining bytes.
"""

import hashlib
import http.client
import tarfile
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from featlearn._check import InputError, require
from featlearn.distributions.images.folders import data_folder, path_of, source_of
from featlearn.distributions.images.sources import Download

BLOCK = 1 << 16
MOST_UNPACKED = 2**30
"""Bytes of all files of an archive together."""
TIMEOUT = 30.0
"""Seconds without a byte before a server counts as gone."""

Watch = Callable[[float], None]
"""Told the share of the bytes that is here."""


def get(
    name: str,
    data: Path | str | None = None,
    *,
    watch: Watch | None = None,
    downloads: tuple[Download, ...] | None = None,
) -> Path:
    """Download the files of a set that are missing, and return the folder of the set.

    Args:
        name: the set.
        data: the folder above it; None: FEATLEARN_DATA, then the user's, made if needed.
        watch: called with the fraction of the work that is done.
        downloads: other addresses than the official ones, such as those of a mirror.
    """
    source = source_of(name)
    wanted = source.downloads if downloads is None else downloads
    require(bool(wanted), f"data get {name}", "a set that has files", source.title)
    root = data_folder(data)
    folder = root if root.name == name else root / name
    folder.mkdir(parents=True, exist_ok=True)
    total, done = sum(each.size for each in wanted), 0
    for each in wanted:
        here = each.unpacks or (each.file,)
        if not all(path_of(folder, file) for file in here):

            def share(count: int, before: int = done, size: int = each.size) -> None:
                if watch:
                    watch((before + min(count, size)) / total)

            fetch(each, folder, share)
        done += each.size
    return folder


def fetch(download: Download, folder: Path, count: Callable[[int], None]) -> None:
    """Download one file into a folder, from the first address that has it.

    If it is an archive, the files in `download.unpacks` are extracted and the archive is deleted.
    """
    part = folder / f"{download.file}.part"
    problems = []
    for url in download.urls:
        try:
            _receive(url, part, count, download.size)
        except (OSError, http.client.HTTPException) as error:  # URLError and time-outs too
            problems.append(f"{url} ({_reason(error)})")
            continue
        got = sha256(part)
        if got == download.sha256:
            break
        part.unlink()
        problems.append(f"{url} (sha256 {got} instead of {download.sha256})")
    else:
        raise InputError(
            f"data get {download.file}",
            "an answer from " + " or ".join(download.urls),
            "; ".join(problems),
            f"Without a network, put the file into {folder}.",
        )
    if download.unpacks:
        _unpack(part, download.unpacks, folder)
        part.unlink()
    else:
        part.replace(folder / download.file)


def _receive(url: str, part: Path, count: Callable[[int], None], size: int) -> None:
    """Append to the file `part` the bytes that it lacks, from the server at `url`.

    Raise `ConnectionError` if there are more than `size` bytes or the transfer stops early.
    """
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if have and error.code == 416:  # nothing is left to send
            return
        raise
    with answer:
        more = answer.status == 206
        got, length = (have if more else 0), answer.headers.get("Content-Length")
        end = None if length is None else got + int(length)
        with part.open("ab" if more else "wb") as file:
            while block := answer.read(BLOCK):
                file.write(block)
                got += len(block)
                count(got)
                if got > size:
                    break
    if got > size:
        part.unlink()
        raise ConnectionError(f"more than the {size} bytes it is to have")
    if end is not None and got < end:
        raise ConnectionError(f"cut off after {got} of {end} bytes")


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code}"
    return str(getattr(error, "reason", None) or error or type(error).__name__)


def sha256(path: Path) -> str:
    """Return the SHA-256 checksum of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(archive: Path, files: tuple[str, ...], folder: Path) -> None:
    """Extract the named files from a tar file, from whatever folders within it, into `folder`.

    A file gets its final name only when it is complete.
    """
    with tarfile.open(archive) as tar:
        members = {Path(member.name).name: member for member in tar if member.isfile()}
        missing = next((file for file in files if file not in members), None)
        require(missing is None, archive.name, f"an archive with {missing}", "one without it")
        size = sum(members[file].size for file in files)
        require(size <= MOST_UNPACKED, archive.name, f"at most {MOST_UNPACKED} bytes", size)
        for file in files:
            stream = tar.extractfile(members[file])
            assert stream is not None
            aside = folder / f"{file}.part"
            with aside.open("wb") as target:
                while block := stream.read(BLOCK):
                    target.write(block)
            aside.replace(folder / file)
