#!/usr/bin/env python3
"""Installs each package of a release in a clean place, and serves the demo from it.

    release_check.py [--ready-s 10] [FOLDER]            FOLDER: target/dist when left out, as scripts/release.sh filled it

Compares every file with SHA256SUMS, and the program in each package with the others: all are of one build. Then, one
after another:

    wheel      a new virtual environment, pip without an index
    deb        dpkg into an empty root folder, where its scripts make the user, its configuration is there and its
               manual is; then chroot
    archive    tar
    image      every blob against its digest; its files by chroot, with the user, variables and entry point it names

In each `almoner demo` starts with an empty home and a port that the system picks on loopback, and must answer health,
suggestions and a search within 10 s, or --ready-s on a slow machine. chroot needs root: without it, the deb's program runs outside, and the image is
read but not run (`not run`). Programs that are not static get the machine's libraries there, and a line says so.
Prints a line for each package with its seconds; exits 1 at the first that fails.
"""

import argparse
import contextlib
import dataclasses
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.request
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "release"))
import package

READY_S_DEFAULT = 10.0
GIVE_UP_S = 60
HOME = "home"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def fail(text):
    raise SystemExit(f"release_check.py: {text}")


@dataclasses.dataclass
class Installed:
    """A program as a package installed it, and how it is started."""

    program: pathlib.Path
    command: list
    environment: dict
    note: str = ""


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        fail(f"expected one {pattern} in {folder}, found {len(found)}; run scripts/release.sh")
    return found[0]


def check_sums(folder):
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        expected, name = line.split("  ", 1)
        if package.sha256((folder / name).read_bytes()) != expected:
            fail(f"{name} is not what SHA256SUMS says")


def environment(home):
    return {"HOME": str(home), "PATH": PATH}


def from_archive(folder, place):
    with tarfile.open(only(folder, "almoner-*-*-*-*.tar.gz")) as archive:
        archive.extractall(place, filter="data")
    program = only(place, "almoner-*/almoner")
    for part in ("man/almoner.1", "completions/almoner.bash", "packaging/almoner.service", "THIRD-PARTY.txt"):
        if not (program.parent / part).is_file():
            fail(f"the archive lacks {part}")
    return Installed(program, [str(program)], environment(place))


def from_wheel(folder, place):
    venv.create(place / "venv", with_pip=True)
    pip = [str(place / "venv/bin/python"), "-m", "pip", "--isolated", "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-index", "--no-deps", str(only(folder, "*.whl"))]
    subprocess.run(install, check=True, env=environment(place))
    program = place / "venv/bin/almoner"
    return Installed(program, [str(program)], environment(place))


def with_libraries(root, program):
    """Puts the libraries of a program that is not static into its root folder; what to say of that."""
    if package.is_static(program):
        return ""
    listed = subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"(/\S+) \(0x", listed):
        place = root / library.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, place)
    return "not static: with the libraries of this machine"


def with_devices(root):
    """What every container has: sources of randomness."""
    (root / "dev").mkdir(exist_ok=True)
    for name, minor in (("random", 8), ("urandom", 9)):
        os.mknod(root / "dev" / name, 0o444 | 0o020000, os.makedev(1, minor))


def chrooted(root, user, variables, command):
    settings = [f"{name}={value}" for name, value in variables.items()]
    return ["env", "-i", *settings, shutil.which("chroot", path=PATH), f"--userspec={user}", str(root), *command]


def from_debian(folder, place):
    root = place / "root"
    admin = root / "var/lib/dpkg"
    for part in ("updates", "info", "triggers"):
        (admin / part).mkdir(parents=True)
    (admin / "status").touch()
    (admin / "available").touch()
    (root / "etc").mkdir()
    deb = only(folder, "*.deb")
    # An empty root has none of the packages that it depends on; its scripts run outside, with DPKG_ROOT.
    options = [f"--root={root}", "--force-depends", "--force-script-chrootless", "--log=/dev/null"]
    options += [] if os.geteuid() == 0 else ["--force-not-root"]
    ran = subprocess.run(["dpkg", *options, "--install", str(deb)], capture_output=True, text=True)
    if ran.returncode:
        fail(f"dpkg: {ran.stderr}")
    program = root / "usr/bin/almoner"
    for part in ("usr/lib/systemd/system/almoner.service", "usr/share/man/man1/almoner.1.gz", "etc/almoner.conf"):
        if not (root / part).is_file():
            fail(f"the package lacks {part}")
    if "/etc/almoner.conf" not in subprocess.run(
        ["dpkg-query", f"--root={root}", "--show", "--showformat=${Conffiles}", "almoner"],
        check=True, capture_output=True, text=True,
    ).stdout:
        fail("/etc/almoner.conf is no conffile")
    if os.geteuid():
        return Installed(program, [str(program)], environment(place), "not in a chroot, which needs root")
    user = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines() if line.startswith("almoner:")]
    if not user:
        fail("the package made no user almoner")
    identity = f"{user[0][2]}:{user[0][3]}"
    home = root / HOME
    home.mkdir()
    os.chown(home, int(user[0][2]), int(user[0][3]))
    with_devices(root)
    note = with_libraries(root, program)
    return Installed(program, chrooted(root, identity, {"HOME": f"/{HOME}"}, ["/usr/bin/almoner"]), {"PATH": PATH}, note)


class Image:
    """An OCI layout in a tar file, each blob compared with its digest as it is read."""

    def __init__(self, path):
        with tarfile.open(path) as archive:
            self.files = {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}
        if json.loads(self.files["oci-layout"])["imageLayoutVersion"] != "1.0.0":
            fail("the image has another layout than 1.0.0")
        (entry,) = json.loads(self.files["index.json"])["manifests"]
        self.manifest = json.loads(self.blob(entry))
        self.config = json.loads(self.blob(self.manifest["config"]))

    def blob(self, reference):
        algorithm, digest = reference["digest"].split(":")
        data = self.files[f"blobs/{algorithm}/{digest}"]
        if len(data) != reference["size"] or hashlib.new(algorithm, data).hexdigest() != digest:
            fail(f"the blob {digest} is damaged")
        return data

    def extract(self, root):
        for reference, diff_id in zip(self.manifest["layers"], self.config["rootfs"]["diff_ids"], strict=True):
            layer = gzip.decompress(self.blob(reference))
            if f"sha256:{package.sha256(layer)}" != diff_id:
                fail(f"the layer is not {diff_id}")
            with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
                # Owners are part of it; without root they cannot be given.
                archive.extractall(root, numeric_owner=True, filter="fully_trusted" if os.geteuid() == 0 else "data")


def from_image(folder, place):
    root = place / "root"
    root.mkdir()
    image = Image(only(folder, "*.oci.tar"))
    image.extract(root)
    run = image.config["config"]
    program = root / run["Entrypoint"][0].lstrip("/")
    if os.geteuid():
        return Installed(program, [], {}, "not run: chroot needs root")
    with_devices(root)
    note = with_libraries(root, program)
    variables = dict(one.split("=", 1) for one in run["Env"])
    return Installed(program, chrooted(root, run["User"], variables, run["Entrypoint"]), {"PATH": PATH}, note)


@contextlib.contextmanager
def demo(installed, log):
    """The demo, its address and its key; it ends with the block."""
    command = [*installed.command, "demo", "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True, env=installed.environment,
        start_new_session=True,
    )
    # A demo that says nothing is ended, which ends the reading of what it says.
    timer = threading.Timer(GIVE_UP_S, process.kill)
    timer.start()
    try:
        for line in process.stdout:
            if found := re.match(r"open\s+(http://127\.0\.0\.1:\d+)/#key=(\S+)", line):
                break
        else:
            log.seek(0)
            fail(f"the demo ended: {log.read()[-2000:]}")
        yield found.group(1), found.group(2)
    finally:
        timer.cancel()
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(GIVE_UP_S)
        except subprocess.TimeoutExpired:
            process.kill()


def ask(address, key, path):
    request = urllib.request.Request(address + path, headers={"X-API-Key": key})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=GIVE_UP_S) as answer:
        return json.loads(answer.read())


def serve(installed):
    """Seconds until the demo has answered."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as log, demo(installed, log) as (address, key):
        ask(address, key, "/health")
        suggestions = ask(address, key, "/typeahead/nonprofits?q=first+ba&limit=3")
        found = ask(address, key, "/nonprofits/search?state=OH&size=2")
        took = time.monotonic() - began
        if not suggestions or not found:
            fail(f"the demo has nothing: {suggestions}, {found}")
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=package.ROOT / "target/dist")
    parser.add_argument("--ready-s", type=float, default=READY_S_DEFAULT)
    arguments = parser.parse_args()
    folder, ready_s_max = arguments.folder.resolve(), arguments.ready_s
    check_sums(folder)
    bill = json.loads(only(folder, "*.cdx.json").read_text())
    print(f"checksums: sound; {len(bill['components'])} components in the bill of materials")
    programs, good = set(), True
    for name, install in {"wheel": from_wheel, "deb": from_debian, "archive": from_archive, "image": from_image}.items():
        with tempfile.TemporaryDirectory() as place:
            # Others than root go through it.
            os.chmod(place, 0o755)
            began = time.monotonic()
            installed = install(folder, pathlib.Path(place))
            took = time.monotonic() - began
            programs.add(package.sha256(installed.program.read_bytes()))
            note = f" ({installed.note})" if installed.note else ""
            if not installed.command:
                print(f"{name}: read in {took:.1f} s{note}")
                continue
            ready = serve(installed)
            late = "" if ready <= ready_s_max else f", later than {ready_s_max:g} s"
            good = good and not late
            print(f"{name}: installed in {took:.1f} s, the demo answered after {ready:.1f} s{late}{note}", flush=True)
    if len(programs) != 1:
        fail("the packages have different programs: they are not of one build")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
