#!/usr/bin/env python3
"""Makes a container image of the built program, without a container engine: an OCI layout in a tar file.

    image.py --staged FOLDER --target TARGET --epoch SECONDS --output FOLDER [--certificates FILE]

`podman load`, `docker load` and `skopeo copy oci-archive:…` read it: besides the layout it has the `manifest.json` of
`docker save`. The image is that of packaging/Dockerfile: the program, licences, and two folders of its user, /data for
snapshots and /cache for the demo. --certificates is a bundle of certificate authorities (PEM) for object storage.
Prints the path of the image.
"""

import argparse
import datetime
import io
import json
import pathlib
import tarfile

import package

USER = 65532
SECOND_NS = 1_000_000_000
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
INDEX = "application/vnd.oci.image.index.v1+json"
BUNDLE = "etc/ssl/certs/ca-certificates.crt"


def tar(entries, epoch):
    """A tar file of (name, bytes or None for a folder, mode, owner)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data, mode, owner in entries:
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
            entry.size = len(data or b"")
            entry.mode, entry.uid, entry.gid, entry.mtime = mode, owner, owner, epoch
            archive.addfile(entry, io.BytesIO(data or b""))
    return out.getvalue()


def layer(staged, certificates, epoch):
    root = package.ROOT
    entries = [
        ("almoner", (staged / "almoner").read_bytes(), 0o755, 0),
        ("LICENSE", (root / "LICENSE").read_bytes(), 0o644, 0),
        ("THIRD-PARTY.txt", (root / "THIRD-PARTY.txt").read_bytes(), 0o644, 0),
        ("cache", None, 0o755, USER),
        ("data", None, 0o755, USER),
    ]
    if certificates:
        folders = [str(folder) for folder in reversed(pathlib.PurePath(BUNDLE).parents) if str(folder) != "."]
        entries += [(folder, None, 0o755, 0) for folder in folders]
        entries.append((BUNDLE, certificates.read_bytes(), 0o644, 0))
    return tar(entries, epoch)


def configuration(about, target, diff_id, created):
    """How the image is run; the same as packaging/Dockerfile says."""
    return {
        "created": created,
        "architecture": package.TARGETS[target].image,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"8080/tcp": {}},
            "Env": ["ALMONER_DATA_DIR=/data", "ALMONER_LISTEN=0.0.0.0:8080", "XDG_CACHE_HOME=/cache"],
            "Entrypoint": ["/almoner"],
            "Cmd": ["serve"],
            "Volumes": {"/data": {}},
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/almoner", "health"],
                "Interval": 10 * SECOND_NS,
                "Timeout": 3 * SECOND_NS,
                "StartPeriod": 5 * SECOND_NS,
                "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "Almoner",
                "org.opencontainers.image.description": about["description"],
                "org.opencontainers.image.licenses": about["license"],
                "org.opencontainers.image.version": about["version"],
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{diff_id}"]},
        "history": [{"created": created, "created_by": "scripts/release/image.py"}],
    }


def as_json(value):
    return json.dumps(value, separators=(",", ":")).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    package.add_arguments(parser)
    parser.add_argument("--certificates", type=pathlib.Path)
    arguments = parser.parse_args()
    about = package.cargo_package()
    created = datetime.datetime.fromtimestamp(arguments.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    blobs = {}

    def blob(media_type, data):
        """Keeps bytes by their hash; what refers to them."""
        digest = package.sha256(data)
        blobs[f"blobs/sha256/{digest}"] = data
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}

    plain = layer(arguments.staged, arguments.certificates, arguments.epoch)
    layers = [blob(LAYER, package.compressed(plain))]
    config = blob(CONFIG, as_json(configuration(about, arguments.target, package.sha256(plain), created)))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
    tag = f"{about['name']}:{about['version']}"
    platform = {"architecture": package.TARGETS[arguments.target].image, "os": "linux"}
    names = {"org.opencontainers.image.ref.name": about["version"], "io.containerd.image.name": tag}
    entry = {**blob(MANIFEST, as_json(manifest)), "platform": platform, "annotations": names}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [entry]}

    def path_of(one):
        return "blobs/" + one["digest"].replace(":", "/")

    saved = [{"Config": path_of(config), "RepoTags": [tag], "Layers": [path_of(one) for one in layers]}]
    entries = [(folder, None, 0o755, 0) for folder in ("blobs", "blobs/sha256")]
    entries += [(name, data, 0o644, 0) for name, data in sorted(blobs.items())]
    whole = {"index.json": index, "manifest.json": saved, "oci-layout": {"imageLayoutVersion": "1.0.0"}}
    entries += [(name, as_json(value), 0o644, 0) for name, value in whole.items()]
    path = arguments.output / f"{about['name']}-{about['version']}-{arguments.target}.oci.tar"
    path.write_bytes(tar(entries, arguments.epoch))
    print(path)


if __name__ == "__main__":
    main()
