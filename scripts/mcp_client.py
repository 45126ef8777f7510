#!/usr/bin/env python3
"""Talk to almoner with the official Python client of the Model Context Protocol.

    mcp_client.py --almoner target/release/almoner [--data-dir D] [--organizations 300]

Over standard input and output and over HTTP (with either header for the key), in both lifecycles of the
protocol (`initialize`, and `server/discover`), calls the tools (many times at once, too), follows cursors, reads
resources and prompts. The client holds each answer against the tool's output schema. Works on fictional data unless --data-dir is given.
Exits 0 if everything is as it should be. Needs the client, in a virtual environment whose Python runs this.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VERSION = "2.3.0"
INSTALL = (
    f"python3 -m venv .venv && .venv/bin/pip install mcp=={VERSION}, then run this with .venv/bin/python"
)
TOOLS = {
    "find_by_name", "search_nonprofits", "get_nonprofit", "check_standing", "compare", "match_organizations",
    "who_funds", "grants_made", "find_funders", "people", "changes", "coverage",
}
PROMPTS = {"due_diligence", "shortlist", "match_list", "who_funds_this"}
# Pages that are followed: enough to see that they differ.
PAGES_MAX = 5
# Calls at once; a server refuses more of one client than it can work on soon.
PARALLEL, PARALLEL_OVER_HTTP = 100, 20


async def answered(client, tool, arguments):
    """What a tool answers; the client raises where it is not as the schema says."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, f"{tool} {arguments}: {result.content}"
    assert result.content[0].text, f"{tool} {arguments}: no text"
    return result.structured_content


async def refused(client, tool, arguments, part):
    result = await client.call_tool(tool, arguments)
    assert result.is_error and part in result.content[0].text, f"{tool} {arguments}: {result}"


async def converse(client, parallel):
    """Calls everything there is; returns the revision of the protocol that was spoken."""
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} >= TOOLS, listed
    assert all(tool.annotations.read_only_hint for tool in listed.tools), listed
    first = await answered(client, "search_nonprofits", {"limit": 2, "facets": ["state"]})
    eins = [one["ein"] for one in first["rows"]]
    seen, page = list(eins), first
    for _ in range(PAGES_MAX):
        if "nextCursor" not in page:
            break
        arguments = {"limit": 2, "facets": ["state"], "cursor": page["nextCursor"]}
        page = await answered(client, "search_nonprofits", arguments)
        seen += [one["ein"] for one in page["rows"]]
    assert len(seen) == len(set(seen)), "pages overlap"
    one = await answered(client, "get_nonprofit", {"eins": eins[0]})
    assert one["rows"][0]["ein"] == eins[0], one
    name = one["rows"][0]["name"]
    found = await answered(client, "find_by_name", {"q": name})
    assert eins[0] in [row["ein"] for row in found["rows"]], found
    for tool in ["check_standing", "reliance", "filings", "provenance", "people", "who_funds", "grants_made", "peers"]:
        await answered(client, tool, {"ein": int(eins[0])})
    both = await answered(client, "compare", {"eins": eins})
    assert [each["ein"] for each in both["rows"]] == eins, both
    matched = await answered(client, "match_organizations", {"queries": [{"name": name}]})
    assert len(matched["rows"]) == 1, matched
    for tool in ["changes", "coverage", "articles", "find_funders", "search_grants"]:
        await answered(client, tool, {})
    alike = await answered(client, "search_nonprofits", {"similar_to": eins[0], "limit": 5})
    assert alike["rows"] and eins[0] not in [row["ein"] for row in alike["rows"]], alike
    await refused(client, "get_nonprofit", {"eins": ["12"]}, "nine digits")
    await refused(client, "search_nonprofits", {"size": 2}, "limit")
    await refused(client, "people", {"ein": eins}, "once for each")
    calls = [answered(client, "get_nonprofit", {"eins": [eins[0]]}) for _ in range(parallel)]
    assert all(each == one for each in await asyncio.gather(*calls)), "calls at once differ"
    templates = await client.list_resource_templates()
    assert templates.resource_templates[0].uri_template == "nonprofit://{ein}", templates
    for part, member in [("", "ein"), ("/standing", "exemption"), ("/filings", "items")]:
        read = await client.read_resource(f"nonprofit://{eins[0]}{part}")
        assert member in json.loads(read.contents[0].text), read
    prompts = await client.list_prompts()
    assert {prompt.name for prompt in prompts.prompts} == PROMPTS, prompts
    prompt = await client.get_prompt("due_diligence", {"nonprofit": name})
    assert name in prompt.messages[0].content.text, prompt
    return client.protocol_version


async def talk(almoner, data_dir, address, key):
    """Every way in, in both lifecycles."""
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    program = StdioServerParameters(command=almoner, args=["mcp", "--data-dir", data_dir])
    for mode in ["legacy", "auto"]:
        async with Client(stdio_client(program), mode=mode) as client:
            print(f"standard input and output, {await converse(client, PARALLEL)}: as it should be")
        for header, value in [("X-API-Key", key), ("Authorization", f"Bearer {key}")]:
            http = httpx2.AsyncClient(headers={header: value})
            transport = streamable_http_client(f"{address}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                print(f"HTTP with {header}, {await converse(client, PARALLEL_OVER_HTTP)}: as it should be")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--almoner", required=True, type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--organizations", type=int, default=300)
    options = parser.parse_args()
    try:
        import mcp  # noqa: F401
    except ImportError:
        sys.exit(f"the client is missing: {INSTALL}")
    almoner = str(options.almoner.resolve())
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            done = subprocess.run([almoner, *arguments], check=True, capture_output=True, text=True)
            return done.stdout

        data_dir = str(options.data_dir.resolve() if options.data_dir else Path(folder, "data"))
        if not options.data_dir:
            inputs = str(Path(folder, "inputs"))
            run("generate", "--organizations", str(options.organizations), inputs)
            run("build", "--no-semantic", "--data-dir", data_dir, inputs)
        key = run("keys", "create", "--data-dir", data_dir, "--name", "mcp_client.py").strip()
        serve = [almoner, "serve", "--data-dir", data_dir, "--listen", "127.0.0.1:0"]
        log = Path(folder, "log")
        with log.open("w") as written, subprocess.Popen(serve, stderr=written) as server:
            try:
                found = None
                while not found and server.poll() is None:
                    time.sleep(0.05)
                    found = re.search(r"listening on (\S+)", log.read_text())
                if not found:
                    sys.exit(f"the server does not start: {log.read_text()}")
                asyncio.run(talk(almoner, data_dir, found[1], key))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
