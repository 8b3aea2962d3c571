// What is recorded of a request to a model: its sections in their order, and which planted words stand in each of them.
// No sentence of a package is kept.

/** The words that questions plant: names and texts with `zz`, numbers from 40 to 49, and the choice that ends a run. */
const PLANTED = /\bzz[a-z0-9_]*|\b4[0-9]\b|__done__/g;

/** A member of what is shown as JSON. */
const MEMBER = /^ *"([a-z_]+)":/;

/** The sections of a text: `title` is the heading, `data` what stands between the tags of `tag`, with the names of members. */
export function sectionsOf(text) {
  const sections = [{ holds: [] }];
  let tag;
  for (const line of text.split('\n')) {
    const section = sections.at(-1);
    const title = /^## (.*)$/.exec(line)?.[1];
    const [, closes, name] = /^<(\/?)([a-z]+)>$/.exec(line) ?? [];
    if (title !== undefined) {
      sections.push({ title, holds: wordsOf(title) });
    } else if (name) {
      tag = closes ? undefined : name;
      if (tag) Object.assign(section, { tag, data: [] });
    } else {
      const held = tag ? section.data : section.holds;
      const member = tag ? MEMBER.exec(line)?.slice(1) ?? [] : [];
      held.push(...[...member, ...wordsOf(line)].filter((word, at, all) => !held.includes(word) && all.indexOf(word) === at));
    }
  }
  return sections.filter(({ title, holds, tag }) => title !== undefined || tag || holds.length);
}

export const wordsOf = (text) => [...new Set(text.match(PLANTED) ?? [])];

/** The names of the members that a JSON Schema describes; `?` marks those that may be absent. */
export function membersOf(schema) {
  return Object.keys(schema?.properties ?? {}).map((name) => (schema.required?.includes(name) ? name : `${name}?`));
}
