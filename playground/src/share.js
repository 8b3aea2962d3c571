// A project in the fragment of the page's address.
//
// Input: a project, or a fragment. Output: the other one. Invariant: browsers do not send fragments, so the project stays with those who
// have the link; a fragment that is no project gives nothing.

const PREFIX = "#1.";
/** A link that unpacks to more than this is refused. */
const SIZE_MAX = 4_000_000;

/** The fragment of a project. */
export async function packed(project) {
  const stream = new Blob([JSON.stringify(project)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 4096) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The project of a fragment. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(PREFIX)) {
    return undefined;
  }
  try {
    const binary = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      size += value.length;
      if (size > SIZE_MAX) {
        return undefined;
      }
      parts.push(value);
    }
    const project = JSON.parse(await new Blob(parts).text());
    const files = Object.entries(project.files ?? {});
    const isProject = files.length > 0 && files.every(([, text]) => typeof text === "string");
    return isProject ? project : undefined;
  } catch {
    return undefined;
  }
}
