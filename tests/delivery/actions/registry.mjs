// A registry for npm on this machine, with the packages of one folder.
//
// Input: a folder of tarballs. Output: the registry's address on the first line; then it serves until its standard input
// ends.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [, , folder] = process.argv;
const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
const packages = new Map(tarballs.map((name) => [manifest(name).name, name]));

function manifest(name) {
  return JSON.parse(execFileSync("tar", ["-xOf", join(folder, name), "package/package.json"], { encoding: "utf8" }));
}

function packument(name, address) {
  const own = manifest(name);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(join(folder, name))).digest("base64")}`;
  const dist = { tarball: `${address}/tarballs/${name}`, integrity };
  return { name: own.name, "dist-tags": { latest: own.version }, versions: { [own.version]: { ...own, dist } } };
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1);
  const tarball = tarballs.find((name) => path === `tarballs/${name}`);
  if (tarball !== undefined) {
    response.end(readFileSync(join(folder, tarball)));
  } else if (packages.has(path)) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(packument(packages.get(path), `http://${request.headers.host}`)));
  } else {
    response.statusCode = 404;
    response.end("{}");
  }
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
