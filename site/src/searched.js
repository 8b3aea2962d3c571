// What of the pages is searched: the same for the build, which writes the index, and for the page, which reads it.

/** The options of the index. */
export const SEARCHED = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  // `unknown-node` is a word, and so are its parts.
  tokenize: (text) => text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => (word.includes("-") ? [word, ...word.split("-")] : [word])).filter(Boolean),
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: (word) => (word.length > 4 ? 0.2 : false), combineWith: "AND" },
};
