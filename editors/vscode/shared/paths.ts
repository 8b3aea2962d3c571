/**
 * Paths with `/` between their parts, as in URIs.
 *
 * Input: paths. Output: their names, folders, and relative paths. Invariant: nothing is read, and no
 * module of Node is needed.
 */

/** The last part. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path without its last part and the `/` before it. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** The path of a file relative to a folder. Both paths are absolute, or relative to the same folder. */
export function relativePath(folder: string, file: string): string {
  const parts = (path: string) => path.split("/").filter((part) => part !== "");
  const [from, to] = [parts(folder), parts(file)];
  const common = from.findIndex((part, index) => part !== to[index]);
  const shared = common < 0 ? from.length : common;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
