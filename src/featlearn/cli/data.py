"""The command `featlearn data`: list the image files, and download them with `data get NAME`."""

import time
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from featlearn.cli.fields import COMMON
from featlearn.cli.output import print_document, progress
from featlearn.cli.run import Json

Folder = Annotated[
    Path | None,
    Parameter(
        name="--data",
        group=COMMON,
        help="Folder of image files (default: FEATLEARN_DATA, then the user's data folder).",
    ),
]
Name = Annotated[
    Literal["mnist", "cifar10", "svhn", "tiny-imagenet"], Parameter(help="The set to fetch.")
]

data = App(name="data", help="Image files: what is here, where they come from; `data get NAME`.")


@data.default
def listed(*, folder: Folder = None, json: Json = False) -> int:
    """List the sets of image files: which are here, and where each comes from."""
    started = time.perf_counter()
    from featlearn.distributions.images import SOURCES, data_folder, state

    root = data_folder(folder)
    found = [state(name, folder) for name in SOURCES]
    if json:
        print_document({"folder": str(root), "sets": [_document(each) for each in found]}, started)
        return 0
    print(f"folder: {root}")
    for each in found:
        source = each.source
        print(f"{source.name}  {source.title}; {source.terms}")
        print(f"  {each.detail}" + (f": {each.folder}" if each.folder else ""))
        print(f"  from {source.home}")
        for download in source.downloads:
            print(f"    {download.urls[0]}  {download.size:,} bytes  sha256 {download.sha256}")
    print("`featlearn data get NAME` fetches a set; what is there of it is kept.")
    return 0


@data.command
def get(name: Name, *, folder: Folder = None, json: Json = False) -> int:
    """Download the official files of a set, check them, and put them in their folder."""
    started = time.perf_counter()
    from featlearn.distributions.images import get as fetch
    from featlearn.distributions.images import state

    with progress(f"data get {name}") as watch:
        fetch(name, folder, watch=watch)
    found = state(name, folder)
    if json:
        print_document({"set": _document(found)}, started)
    else:
        print(f"{found.source.title}: {found.detail}: {found.folder}")
    return 0


def _document(found: Any) -> dict[str, Any]:
    source = found.source
    return {
        "name": source.name,
        "title": source.title,
        "home": source.home,
        "urls": [download.urls[0] for download in source.downloads],
        "folder": None if found.folder is None else str(found.folder),
        "official": found.official,
        "state": found.detail,
    }
