"""Where the solver library DDS is found, and its installation for Pythons that endplay has no wheel for.

The library in a wheel of endplay is loaded by ctypes and depends on no version of Python. So the wheel for an
earlier Python, which pip cannot install, has a library that works.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import platformdirs

from dealerkit.errors import FileError

ENVIRONMENT = "DEALERKIT_DDS"
FILES = ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll")  # of Linux, macOS, Windows
COMMAND = "dealerkit solve --install-solver"
RELEASE, PYTHON = "0.5.12", "3.13"  # of endplay, and the last Python for which it has wheels


def library_path() -> Path:
    """Return the file of the library.

    ``DEALERKIT_DDS``, else that of the installed endplay, else what `install_library` has installed. Debian's
    libdds0 is not looked for: it does not export SolveAllBoardsBin.

    Raises
    ------
    FileError
        There is no such file.
    """
    if path := os.environ.get(ENVIRONMENT):
        return Path(path)
    package = importlib.util.find_spec("endplay")
    folders = [Path(folder, "_dds") for folder in package.submodule_search_locations or ()] if package else []
    for folder in (*folders, installation_folder()):
        for name in FILES:
            if (file := folder / name).is_file():
                return file
    reason = "endplay is not installed" if package is None else "the installed endplay has no solver library"
    advice = f"run '{COMMAND}'" if sys.version_info >= (3, 14) else "run 'pip install endplay'"
    raise FileError(
        f"double dummy needs DDS, and {reason}: {advice}, or set {ENVIRONMENT} to the path of a libdds"
    )


def installation_folder() -> Path:
    """Return the folder of an installed library, in the user's folder for data."""
    return platformdirs.user_data_path("dealerkit", appauthor=False)


def install_library() -> Path:
    """Have pip download the wheel of endplay, and install the library that it contains; return its path.

    Raises
    ------
    FileError
        pip does not find a wheel for this platform, or the file cannot be written.
    """
    import shutil
    import subprocess
    import zipfile

    from dealerkit.system.files import write_atomically
    from dealerkit.system.temporary import open_folder

    with open_folder() as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        command += [
            "--python-version",
            PYTHON,
            "--implementation",
            "cp",
            "--abi",
            f"cp{PYTHON.replace('.', '')}",
        ]
        done = subprocess.run(
            [*command, "--dest", str(folder), f"endplay=={RELEASE}"], capture_output=True, text=True
        )
        wheels = list(folder.glob("*.whl"))
        if done.returncode or not wheels:
            lines = done.stderr.strip().splitlines() or ["no wheel was downloaded"]
            raise FileError(
                f"pip cannot download the solver: {lines[-1]}; build DDS 2.9 from its source, "
                f"and set {ENVIRONMENT} to its libdds"
            )
        with zipfile.ZipFile(wheels[0]) as wheel:
            names = [name for name in wheel.namelist() if name in {f"endplay/_dds/{file}" for file in FILES}]
            if not names:
                raise FileError(f"{wheels[0].name} has no solver library")
            target = installation_folder() / names[0].rpartition("/")[2]
            target.parent.mkdir(parents=True, exist_ok=True)
            with (
                write_atomically(target) as temporary,
                wheel.open(names[0]) as source,
                temporary.open("wb") as file,
            ):
                shutil.copyfileobj(source, file)
    return target
