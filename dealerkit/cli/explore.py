"""`dealerkit explore`: the explorer as a web page on this machine, without a notebook."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import Any

from dealerkit.cli.arguments import FAILED, INTERRUPTED, Verb, add_shared, describe_exit_status, locate_script
from dealerkit.errors import ArgumentError
from dealerkit.runtime.temporary import open_folder

LOCAL = "127.0.0.1"
# Warnings of the server and of kernels are about their own working. Voila's pages lack the cookie against
# forged requests, so without this setting a closed page could not end its kernel. Its request has the
# kernel's secret number.
SERVER = {
    "Voila": {
        "tornado_settings": {"disable_check_xsrf": True},
        "logging_config": {"loggers": {"tornado": {"level": "ERROR"}}},
    }
}
KERNEL = {
    "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"],
    "display_name": "dealerkit",
    "language": "python",
}
# Voila's own template loads style sheets from another server; a page on this machine must not.
TEMPLATE = """\
{%- extends 'voila/templates/lab/index.html.j2' -%}
{%- block notebook_css -%}
{{ super() | replace('href="https://cdn.jsdelivr.net/', 'href="data:text/css,') }}
{%- endblock notebook_css -%}
"""


def _add_explore_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(
        parser, "file", help="file of a script, or - for standard input (default: questions to fill in)"
    )
    add_shared(parser, "-p --produce", help="number of deals that a run produces")
    add_shared(parser, "-s --seed", help="random seed")
    add_shared(parser, "--param", "--threads", "--include")
    parser.add_argument("--port", type=int, metavar="N", help="port of the page (default: a free one)")
    parser.add_argument("--dark", action="store_true", help="light text on a dark page")
    parser.add_argument(
        "--untrusted",
        action="store_true",
        help="for visitors of a server: only questions, no files, and limits on deals, time and memory",
    )
    parser.add_argument(
        "--address",
        default=LOCAL,
        help=f"address at which the page can be reached; 0.0.0.0: by all on your network, with --untrusted "
        f"(default: {LOCAL}, only by this machine)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def _run_explore(options: argparse.Namespace) -> int:
    """Serve the page until it is interrupted; return the exit status."""
    import json  # imported here, since other verbs start faster without these
    import os
    import subprocess

    if importlib.util.find_spec("voila") is None:
        raise ArgumentError(
            "dealerkit explore needs voila, which is not installed; install it with: "
            "pip install 'dealerkit[app]'"
        )
    token = _make_token(options)
    with open_folder() as folder:
        notebook = folder / "explorer.ipynb"
        notebook.write_text(json.dumps(build_notebook(options)), encoding="utf-8", newline="")
        template = folder / "voila" / "templates" / "dealerkit"
        template.mkdir(parents=True)
        (template / "index.html.j2").write_text(TEMPLATE, encoding="utf-8", newline="")
        (template / "conf.json").write_text('{"base_template": "lab"}', encoding="utf-8", newline="")
        kernel = folder / "kernels" / "dealerkit"
        kernel.mkdir(parents=True)
        (kernel / "kernel.json").write_text(json.dumps(KERNEL), encoding="utf-8", newline="")
        (folder / "voila.json").write_text(json.dumps(SERVER), encoding="utf-8", newline="")
        paths = {
            name: os.pathsep.join(filter(None, [str(folder), os.environ.get(name)]))
            for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH")
        }
        port = _find_port() if options.port is None else options.port
        command = [
            sys.executable, "-m", "voila", str(notebook), f"--Voila.ip={options.address}", f"--port={port}",
            f"--theme={'dark' if options.dark else 'light'}", "--Voila.log_level=ERROR",
            "--template=dealerkit",
        ]  # fmt: skip
        if options.file is None:
            # A kernel begins with the server, and another when a page has taken it: pages do not wait.
            # Not with a script, which would run for nobody.
            command += [
                "--VoilaConfiguration.preheat_kernel=True",
                "--VoilaConfiguration.default_pool_size=1",
            ]
        if options.no_browser or token:
            command.append("--no-browser")
        if token:
            command.append(f"--Voila.token={token}")
        _announce(options.address, port, token)
        process = subprocess.Popen(command, env=os.environ | paths)
        try:
            return FAILED if process.wait() else 0
        except KeyboardInterrupt:
            return INTERRUPTED
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()


def _make_token(options: argparse.Namespace) -> str:
    """Return the password of a page that other machines can reach; "" for this machine only."""
    import ipaddress
    import secrets

    try:
        if ipaddress.ip_address(options.address).is_loopback:
            return ""
    except ValueError:
        raise ArgumentError(
            f"--address {options.address} is not an IP address; give one such as 0.0.0.0, for all on your "
            "network"
        ) from None
    if not options.untrusted:
        raise ArgumentError(
            f"--address {options.address}: others could read files and run scripts of this machine; add "
            "--untrusted, with which they have only the questions"
        )
    return secrets.token_hex(4)


def _announce(address: str, port: int, token: str) -> None:
    """Print where the page is, and what it means if others can reach it."""
    import ipaddress
    import socket

    host = address
    if ipaddress.ip_address(address).is_unspecified:
        # The address of this machine towards others; a datagram socket sends nothing when it connects.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
            try:
                outward.connect(("192.0.2.1", 9))
                host = outward.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    host = f"[{host}]" if ":" in host else host
    page = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
    print(f"dealerkit: the explorer is at {page}; end it with Ctrl-C", file=sys.stderr)
    if token:
        print(
            "dealerkit: everyone on your network who has this address can use it; the connection is not "
            "encrypted, and each open page takes about 150 MB of memory here",
            file=sys.stderr,
        )


def _find_port() -> int:
    """Return a free port."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _list_folders(options: argparse.Namespace) -> list[str]:
    """Return the folders in which included files are searched, that of the script first."""
    folders = [str(Path(folder).resolve()) for folder in options.include]
    return folders if options.file in (None, "-") else [str(Path(options.file).resolve().parent), *folders]


def build_notebook(options: argparse.Namespace) -> dict[str, Any]:
    """Return the notebook that voila serves: one cell with the explorer.

    Raises
    ------
    FileError, ArgumentError
        The script cannot be read; a value of a script variable is not of the form NAME=TEXT.
    """
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.language.source import read_source

    if options.untrusted and (options.file is not None or options.include):
        raise ArgumentError("--untrusted allows only questions; leave out the script and --include")
    text = "" if options.file is None else read_source(locate_script(options.file))[0]
    arguments = {
        "produce": options.produce, "seed": options.seed, "threads": options.threads,
        "params": parse_variables(options.params), "include": _list_folders(options),
        "untrusted": options.untrusted,
    }  # fmt: skip
    given = "".join(
        f", {name}={value!r}" for name, value in arguments.items() if value not in (None, {}, [], False)
    )
    source = f"import dealerkit as dk\ndk.explore({text!r}{given})"
    cell: dict[str, Any] = {
        "cell_type": "code", "id": "explorer", "execution_count": None, "metadata": {}, "outputs": [],
        "source": source,
    }  # fmt: skip
    kernel = {"name": "dealerkit", "display_name": "dealerkit", "language": "python"}
    metadata = {"kernelspec": kernel, "title": "dealerkit explorer"}
    return {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


EXPLORE = Verb(
    "explore",
    "questions to fill in, or a dealer script with sliders, in the browser",
    "Serve the explorer as a page on this machine and open it in the browser: questions with an example that"
    " is filled in; or a script with a slider for each script variable and for each chosen number, and"
    " its results, which follow the sliders."
    " The page needs voila, which 'pip install \"dealerkit[app]\"' installs. End it with Ctrl-C.",
    _add_explore_arguments,
    _run_explore,
    describe_exit_status(),
    examples=(
        "dealerkit explore",
        "dealerkit explore stayman.dealer --produce 1000",
        "dealerkit explore --untrusted --address 0.0.0.0",
    ),
)
