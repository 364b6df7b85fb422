/** Which files make up the input, by role. */

export interface Change<F> {
  files: Map<string, F>;
  /** Roles whose files the server must forget. */
  stale: string[];
  isNewMap: boolean;
}

/** New files join the old ones; a new normal map begins a new input, without the files of the old one. */
export function replaceFiles<F>(before: ReadonlyMap<string, F>, added: ReadonlyMap<string, F>): Change<F> {
  if (!added.has("normal_map")) return { files: new Map([...before, ...added]), stale: [], isNewMap: false };
  return { files: new Map(added), stale: [...before.keys()].filter((role) => !added.has(role)), isNewMap: true };
}
