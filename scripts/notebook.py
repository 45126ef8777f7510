#!/usr/bin/env python3
"""Runs the code of a notebook as a script, over fictional data that $ALMONER makes.

    notebook.py NOTEBOOK

The notebook opens the data directory that $ALMONER_DATA_DIR names. Where a package that it imports is missing, that is
said and nothing is run.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

NEEDED = ("pyarrow", "pandas", "matplotlib")
ORGANIZATIONS = "2000"


def main() -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.argv[1]} needs {', '.join(missing)}")
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder:
        inputs, data = os.path.join(folder, "in"), os.path.join(folder, "data")
        for command in (
            ["generate", "--organizations", ORGANIZATIONS, inputs],
            ["build", "--data-dir", data, "--no-semantic", "--quiet", inputs],
        ):
            subprocess.run([os.environ["ALMONER"], *command], check=True)
        os.environ["ALMONER_DATA_DIR"] = data
        scope = {"__name__": "__main__"}
        for number, cell in enumerate(cells, 1):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), scope)
    print(f"{sys.argv[1]}: {len(cells)} cells ran")


if __name__ == "__main__":
    main()
