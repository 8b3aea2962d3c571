/** A module that the package uses itself and does not export. */
export const inside = (path) => import(new URL(path, import.meta.resolve('@cycgraph/orchestrator')).href);
