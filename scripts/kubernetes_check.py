#!/usr/bin/env python3
"""Checks packaging/kubernetes/*.yaml against the schemas of Kubernetes, and that its parts fit together.

    kubernetes_check.py [--version 1.37.0] [--almoner target/debug/almoner] [FILE …]

Schemas are those of the Python package kubernetes-validate, which brings them (`pip install kubernetes-validate`);
no cluster and no network is asked. Unknown fields fail. Without the package they are skipped, and said to be.
Besides: what the service and the disruption budget select is what the deployment labels; every volume that is mounted
is there; secrets are mounted as folders, since what is mounted by subPath is never renewed, and the keys where the
server looks for them; every probe asks a path that the program has; the root is read-only and nobody is root; with
--almoner, every ALMONER_ variable is one of `almoner serve --print-config`. Prints a line for each document; exits 1
at the first fault.
"""

import argparse
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "packaging" / "kubernetes"
PATHS = {"/health", "/ready"}


def demand(holds, text):
    if not holds:
        raise SystemExit(f"FAILED: {text}")


def container_fits(container, pod, known):
    demand(container["securityContext"]["readOnlyRootFilesystem"], "the root can be written to")
    demand(not container["securityContext"]["allowPrivilegeEscalation"], "privileges can be gained")
    demand(container["securityContext"]["capabilities"]["drop"] == ["ALL"], "capabilities are kept")
    demand(pod["securityContext"]["runAsNonRoot"], "it may run as root")
    demand({"requests", "limits"} <= container["resources"].keys(), "no requests and limits")
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for mount in container["volumeMounts"]:
        demand(mount["name"] in volumes, f"volume {mount['name']} is not there")
        demand("secret" not in volumes[mount["name"]] or not {"subPath", "subPathExpr"} & mount.keys(),
               f"{mount['name']} is mounted by subPath: a revoked key would stay valid")
    keys = next((one.get("value") for one in container["env"] if one["name"] == "ALMONER_KEYS"), None)
    mounted = {mount["mountPath"] for mount in container["volumeMounts"] if "secret" in volumes[mount["name"]]}
    demand(keys in mounted, f"keys are read from {keys}, and secrets are mounted at {mounted}")
    ports = {port["name"] for port in container["ports"]}
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[probe]["httpGet"]
        demand(asked["path"] in PATHS and asked["port"] in ports, f"{probe} asks {asked}")
    for variable in container["env"]:
        demand(known is None or variable["name"] in known, f"serve knows no {variable['name']}")
    return ports


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", default="1.37.0")
    parser.add_argument("--almoner")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        import yaml
    except ImportError:
        print("skipped: needs PyYAML")
        return
    try:
        import kubernetes_validate
    except ImportError:
        kubernetes_validate = None
        print("skipped: the schemas, which need kubernetes-validate")
    known = None
    if arguments.almoner:
        asked = [arguments.almoner, "serve", "--data-dir", "/data", "--print-config"]
        known = subprocess.run(asked, check=True, capture_output=True, text=True, timeout=30).stdout
        known = {line.lstrip("# ").split("=")[0] for line in known.splitlines() if "=" in line}
    files = arguments.files or sorted(FOLDER.glob("*.yaml"))
    demand(files, f"nothing in {FOLDER}")
    documents = [document for file in files for document in yaml.safe_load_all(file.read_text()) if document]
    for document in documents if kubernetes_validate else []:
        what = f"{document['kind']} {document['metadata']['name']}"
        try:
            kubernetes_validate.validate(document, arguments.version, strict=True)
        except kubernetes_validate.ValidationError as error:
            raise SystemExit(f"FAILED: {what}: {error.message}")
        print(f"{what}: as Kubernetes {arguments.version} expects")
    kinds = {document["kind"]: document for document in documents}
    template = kinds["Deployment"]["spec"]["template"]
    labels, pod = template["metadata"]["labels"], template["spec"]
    selectors = [kinds["Deployment"]["spec"]["selector"]["matchLabels"], kinds["Service"]["spec"]["selector"],
                 kinds["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]]
    for selector in selectors:
        demand(selector.items() <= labels.items(), f"{selector} selects no pod")
    demand(kinds["PodDisruptionBudget"]["spec"]["minAvailable"] < kinds["Deployment"]["spec"]["replicas"],
           "the budget lets no pod go")
    demand(pod["serviceAccountName"] == kinds["ServiceAccount"]["metadata"]["name"], "another service account")
    ports = [container_fits(container, pod, known) for container in pod["containers"]]
    for port in kinds["Service"]["spec"]["ports"]:
        demand(any(port["targetPort"] in named for named in ports), f"nobody listens at {port['targetPort']}")
    print(f"{len(documents)} documents fit together")


if __name__ == "__main__":
    sys.exit(main())
