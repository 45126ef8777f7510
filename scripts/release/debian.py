#!/usr/bin/env python3
"""Makes a package for Debian and Ubuntu of the built program: with the units, the user, manual pages and completions.

    debian.py --staged FOLDER --target TARGET --epoch SECONDS --output FOLDER

Needs dpkg-deb. /etc/almoner.conf is a conffile; the user is made by packaging/debian/postinst. The service is not
started: it has nothing to serve before the first build (docs/operation.md). Prints the path of the package.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import package

PACKAGING = package.ROOT / "packaging"
SHARE = "usr/share"
DOCUMENTATION = f"{SHARE}/doc/almoner"
# Whom to ask: the package names nobody, since the project publishes no address.
MAINTAINER = "The Almoner project <almoner@example.org>"
# Where each shell looks for completions, and under which name.
COMPLETIONS = {
    "bash": f"{SHARE}/bash-completion/completions/almoner",
    "fish": f"{SHARE}/fish/vendor_completions.d/almoner.fish",
    "zsh": f"{SHARE}/zsh/vendor-completions/_almoner",
}
UNITS = ("almoner.service", "almoner-build.service", "almoner-build.timer")
SCRIPTS = ("postinst", "prerm", "postrm")


def files(staged):
    """What is installed, by its path."""
    found = {
        "usr/bin/almoner": (staged / "almoner").read_bytes(),
        "usr/lib/sysusers.d/almoner.conf": (PACKAGING / "almoner.sysusers").read_bytes(),
        "etc/almoner.conf": (PACKAGING / "almoner.conf").read_bytes(),
        f"{DOCUMENTATION}/copyright": copyright_text(),
        f"{DOCUMENTATION}/changelog.gz": package.compressed((package.ROOT / "CHANGELOG.md").read_bytes()),
        f"{DOCUMENTATION}/README.md": (package.ROOT / "README.md").read_bytes(),
        f"{DOCUMENTATION}/examples/nginx.conf": (PACKAGING / "nginx.conf").read_bytes(),
    }
    found |= {f"usr/lib/systemd/system/{unit}": (PACKAGING / unit).read_bytes() for unit in UNITS}
    for page in sorted((staged / "man").iterdir()):
        found[f"{SHARE}/man/man1/{page.name}.gz"] = package.compressed(page.read_bytes())
    for shell, path in COMPLETIONS.items():
        found[path] = (staged / "completions" / f"almoner.{shell}").read_bytes()
    for page in sorted((package.ROOT / "docs").glob("*.md")):
        found[f"{DOCUMENTATION}/docs/{page.name}"] = page.read_bytes()
    return found


def copyright_text():
    head = "Almoner is under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0. What it contains of others:\n\n"
    return head.encode() + (package.ROOT / "THIRD-PARTY.txt").read_bytes()


def control(about, target, installed_bytes):
    fields = {
        "Package": about["name"],
        "Version": about["version"].replace("-", "~"),
        "Architecture": package.TARGETS[target].debian,
        "Maintainer": MAINTAINER,
        "Installed-Size": str(-(-installed_bytes // 1024)),
        "Section": "science",
        "Priority": "optional",
        # Without either, postinst cannot make the user.
        "Depends": "systemd | systemd-standalone-sysusers | passwd",
        "Description": f"{about['description']}\n"
        " Profiles by EIN, typeahead, search in plain words, matching of lists, grants\n"
        " and people, as an HTTP API, a command line and a web page.",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def write(root, name, data, mode):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    package.add_arguments(parser)
    arguments = parser.parse_args()
    if not shutil.which("dpkg-deb"):
        raise SystemExit("debian.py: dpkg-deb is not installed")
    about = package.cargo_package()
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "root")
        root.mkdir(mode=0o755)
        installed = files(arguments.staged)
        for name, data in installed.items():
            write(root, name, data, 0o755 if name.startswith("usr/bin/") else 0o644)
        sums = [f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, data in sorted(installed.items())]
        size = sum(map(len, installed.values()))
        write(root, "DEBIAN/control", control(about, arguments.target, size).encode(), 0o644)
        write(root, "DEBIAN/conffiles", b"/etc/almoner.conf\n", 0o644)
        write(root, "DEBIAN/md5sums", "".join(sums).encode(), 0o644)
        for script in SCRIPTS:
            write(root, f"DEBIAN/{script}", (PACKAGING / "debian" / script).read_bytes(), 0o755)
        for path in [root, *root.rglob("*")]:
            os.utime(path, (arguments.epoch, arguments.epoch))
        architecture = package.TARGETS[arguments.target].debian
        path = arguments.output / f"{about['name']}_{about['version'].replace('-', '~')}_{architecture}.deb"
        # Several threads of xz would make other bytes than one.
        build = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z9", "--build", str(root), str(path)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(arguments.epoch)}
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL, env=environment)
    print(path)


if __name__ == "__main__":
    main()
