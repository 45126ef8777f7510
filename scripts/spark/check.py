#!/usr/bin/env python3
"""Hold a build on Spark against one on this machine, file by file, and one executor against two.

    pip install pyspark==4.3.0
    cargo build --release --features tables
    scripts/spark/check.py --almoner target/release/almoner --organizations 20000 --returns 20000

Fictional data, the returns in ZIPs; a cut-off return is among them. For each of --masters the parallel stages run anew, and the snapshot of
each is compared with the local one. Prints JSON: seconds and processor seconds by stage and master.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).parent))
import build as spark_build


def snapshot(data):
    """The published files by name; of the manifest all but when it was built."""
    (folder,) = (data / "snapshots").iterdir()
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if path.name == "manifest.json":
            manifest = json.loads(content)
            del manifest["snapshot"], manifest["built_at"]
            content = json.dumps(manifest)
        files[str(path.relative_to(folder))] = content
    return files


def pack(files, folder):
    """Packs returns into ZIPs of 5,000, as the IRS does, one of them cut off."""
    folder.mkdir()
    paths = sorted(files.glob("*.xml"))
    for start in range(0, len(paths), 5_000):
        with zipfile.ZipFile(folder / f"{start:07}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in paths[start : start + 5_000]:
                content = path.read_bytes()
                archive.writestr(path.name, content if path != paths[7] else content[:-100])
    shutil.rmtree(files)


def session(master):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.appName("almoner").master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    # Executors import what the driver pickled.
    builder = builder.config("spark.executorEnv.PYTHONPATH", str(Path(__file__).parent))
    return builder.getOrCreate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--organizations", default="2000")
    parser.add_argument("--returns", default="2000")
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--masters", nargs="+", default=["local[1]", "local[2]"])
    parser.add_argument("--no-semantic", action="store_true")
    options = parser.parse_args()
    almoner = str(Path(options.almoner).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        lists, returns = folder / "lists", folder / "returns"
        sizes = ["--organizations", options.organizations, "--returns", options.returns]
        subprocess.run([almoner, "generate", *sizes, str(lists)], check=True, stdout=subprocess.DEVNULL)
        pack(lists / "returns", returns)
        mode = "--no-semantic" if options.no_semantic else "--wait-for-vectors"
        local = [almoner, "build", mode, "--data-dir", str(folder / "local"), str(lists), str(returns)]
        figures = {}
        spark_build.stage("local", figures, lambda: [{"cpu": spark_build.run(local, os.cpu_count())}])
        expected = snapshot(folder / "local")
        for master in options.masters:
            spark = session(master)
            # Workers start before the clock does.
            spark.sparkContext.parallelize(range(8), 8).map(abs).count()
            work, data = folder / "work", folder / "data"
            command = ["--almoner", almoner, "--returns", str(returns), "--lists", str(lists), "--work", str(work)]
            command += ["--data-dir", str(data), "--parts", str(options.parts)]
            command += ["--no-semantic"] if options.no_semantic else []
            figures[master] = spark_build.build(spark, spark_build.arguments().parse_args(command))
            spark.stop()
            found = snapshot(data)
            names = expected.keys() | found.keys()
            differing = sorted(name for name in names if expected.get(name) != found.get(name))
            print(f"{master}: {len(names)} files, {len(differing)} differ {differing[:5]}", flush=True)
            if differing:
                sys.exit(1)
            shutil.rmtree(work)
            shutil.rmtree(data)
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
