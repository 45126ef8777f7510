#!/usr/bin/env python3
"""Build a snapshot with Apache Spark: returns are extracted and texts embedded on executors, the rest on the driver.

    spark-submit scripts/spark/build.py --returns RETURNS --lists LISTS --work WORK --data-dir DATA

RETURNS has ZIPs or files of returns, LISTS everything else that a build reads. The program (--almoner, built with
`--features tables`), RETURNS and WORK must be at the same paths on every executor: a shared file system or a mounted
bucket. The snapshot is, byte for byte, that of

    almoner build --data-dir DATA LISTS RETURNS

WORK must be new or empty. A task that fails is run again by Spark and writes the same bytes in place of its file. Set
`spark.task.cpus` to the cores that a task may use.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

from pyspark.sql import SparkSession


def run(command, threads, feed=None):
    """Runs the program, fed with lines; gives its processor seconds. What it says of an error ends the task."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    before = os.times()
    stdin = subprocess.PIPE if feed is not None else subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=stdin, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    fed = "".join(line + "\n" for line in feed).encode() if feed is not None else None
    _, told = process.communicate(fed)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {told.decode(errors='replace')}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def extract(almoner, returns, folder, parts, threads):
    def tasks(numbers):
        for number in numbers:
            output = f"{folder}/part-{number:06}-of-{parts:06}.parquet"
            started = time.time()
            cpu = run([almoner, "extract", "--part", f"{number}/{parts}", "--output", output, returns], threads)
            yield {"seconds": time.time() - started, "cpu": cpu}

    return tasks


def embed(almoner, folder, model, threads):
    def task(number, lines):
        output = f"{folder}/part-{number:06}"
        command = [almoner, "embed", "--json", "--threads", str(threads), "--output", output, *model]
        started = time.time()
        yield {"seconds": time.time() - started, "cpu": run(command, threads, lines)}

    return task


def stage(name, figures, work):
    started = time.time()
    tasks = work()
    seconds, cpu = time.time() - started, sum(task["cpu"] for task in tasks)
    figures[name] = {"seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2), "tasks": len(tasks)}
    print(f"{name}: {seconds:.1f} s, {cpu:.1f} s of processors in {len(tasks)} tasks", flush=True)


def build(spark, options):
    """Builds; gives seconds and processor seconds by stage."""
    context, figures = spark.sparkContext, {}
    threads = int(context.getConf().get("spark.task.cpus", "1"))
    work = Path(options.work).resolve()
    extracted, texts, vectors = work / "extracted", work / "texts", work / "vectors"
    for folder in (extracted, vectors):
        folder.mkdir(parents=True)
    almoner, returns = str(Path(options.almoner).resolve()), str(Path(options.returns).resolve())
    lists = [str(Path(path).resolve()) for path in options.lists]
    model = ["--model", options.model] if options.model else []

    tasks = extract(almoner, returns, str(extracted), options.parts, threads)
    numbers = context.parallelize(range(1, options.parts + 1), options.parts)
    stage("extract", figures, lambda: numbers.mapPartitions(tasks).collect())

    command = [almoner, "build", "--data-dir", options.data_dir, *model, *options.build]
    cores = os.cpu_count()
    if not options.no_semantic:
        inputs = [*lists, str(extracted)]
        stage("texts", figures, lambda: [{"cpu": run([*command, "--texts", str(texts), *inputs], cores)}])
        task = embed(almoner, str(vectors), model, threads)
        lines = context.textFile(texts.as_uri(), options.parts)
        stage("embed", figures, lambda: lines.mapPartitionsWithIndex(task).collect())
        command += ["--wait-for-vectors", *lists, str(extracted), str(vectors)]
    else:
        command += ["--no-semantic", *lists, str(extracted)]
    stage("build", figures, lambda: [{"cpu": run(command, cores)}])
    return figures


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", default="almoner", help="the program, at the same path everywhere")
    parser.add_argument("--returns", required=True, help="folder, ZIP or file of returns")
    parser.add_argument("--lists", nargs="+", required=True, help="all other inputs")
    parser.add_argument("--work", required=True, help="new folder that every executor sees")
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--parts", type=int, default=64, help="some times as many as there are executors")
    parser.add_argument("--model", help="folder with another sentence model")
    parser.add_argument("--no-semantic", action="store_true", help="without vectors")
    parser.add_argument("--build", nargs="*", default=[], help="more arguments of `almoner build`")
    return parser


if __name__ == "__main__":
    print(json.dumps(build(SparkSession.builder.appName("almoner").getOrCreate(), arguments().parse_args())))
