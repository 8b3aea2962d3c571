/**
 * Which server runs: the one in the settings, the one bundled with the extension, or one on the PATH.
 *
 * Input: the places to search. Output: a file, or the reason why there is none. Invariant: if the server in the
 * settings is missing, no other one silently replaces it. Relative paths are never used.
 */

import * as path from "node:path";

export interface Surroundings {
  /** The setting `nodewise.server.path`. Empty if it is not set. */
  setting: string;
  extensionFolder: string;
  /** The variable PATH. */
  searchPath: string;
  home: string;
  platform: NodeJS.Platform;
  isExecutable(file: string): boolean;
}

export type Binary =
  | { file: string; origin: "setting" | "bundled" | "path" }
  | { file: undefined; reason: string };

export function findBinary(surroundings: Surroundings): Binary {
  const { setting, platform, isExecutable } = surroundings;
  const paths = platform === "win32" ? path.win32 : path.posix;
  const program = platform === "win32" ? "nodewise.exe" : "nodewise";

  if (setting !== "") {
    const file = setting.startsWith("~/") ? paths.join(surroundings.home, setting.slice(2)) : setting;
    if (!paths.isAbsolute(file)) {
      return { file: undefined, reason: `The setting nodewise.server.path must be an absolute path: ${setting}` };
    }
    return isExecutable(file)
      ? { file, origin: "setting" }
      : { file: undefined, reason: `The setting nodewise.server.path is not an executable file: ${setting}` };
  }

  const bundled = paths.join(surroundings.extensionFolder, "server", program);
  if (isExecutable(bundled)) {
    return { file: bundled, origin: "bundled" };
  }
  // A relative entry would be resolved in the open folder, which can contain any program.
  const folders = surroundings.searchPath.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  const found = folders.map((folder) => paths.join(folder, program)).find(isExecutable);
  if (found !== undefined) {
    return { file: found, origin: "path" };
  }
  const reason = "Cannot find nodewise: this package of the extension has no bundled server, and nodewise is not on the PATH. Install nodewise, or set nodewise.server.path.";
  return { file: undefined, reason };
}
