/**
 * Paths with `/` between their parts, as in URIs.
 *
 * Input: paths. Output: their names, folders, and ways between them. Invariant: nothing is read, and no module of Node is needed.
 */

/** The last part. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What is in front of the last part. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** The way from a folder to a file. Both paths begin at the same place. */
export function relativePath(folder: string, file: string): string {
  const parts = (path: string) => path.split("/").filter((part) => part !== "");
  const [from, to] = [parts(folder), parts(file)];
  const common = from.findIndex((part, index) => part !== to[index]);
  const shared = common < 0 ? from.length : common;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
