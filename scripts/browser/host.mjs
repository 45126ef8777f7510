// The page of somebody else that the picker is in: examples/picker.html, on an origin of its own.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const HERE = new URL("../../examples/", import.meta.url);
const FILES = { "/": ["picker.html", "text/html; charset=utf-8"], "/picker.js": ["picker.js", "text/javascript"] };

/**
 * Serves the example with the address of a server and a key in it.
 * @returns {Promise<{origin: string, close: () => void}>}
 */
export async function host({ origin, key }) {
  const server = createServer((request, response) => {
    const [name, type] = FILES[new URL(request.url, "http://x").pathname] ?? [];
    if (!name) return response.writeHead(404).end();
    const text = readFileSync(new URL(name, HERE), "utf8");
    // What breaks a policy is kept: the page may break none.
    const noted = 'window.refused = []; addEventListener("securitypolicyviolation", (one) => refused.push(one.violatedDirective));\n';
    const filled = text.replaceAll("http://127.0.0.1:8080", origin).replace('"KEY"', `"${key}"`);
    return response.writeHead(200, { "Content-Type": type }).end(type.startsWith("text/javascript") ? noted + filled : filled);
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
