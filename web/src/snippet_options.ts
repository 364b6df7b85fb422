/** Options of the command that write the files which were taken from the page. */

const options: Record<string, string> = {
  "solid-stl": "--solid",
  "points-ply": "--points",
  "page-html": "--html",
  "animation-webp": "--animate",
  "picture-islands": "--arrays",
  "everything-zip":
    "--mesh-format ply --mesh-format glb --mesh-format obj --mesh-format stl --depth-format tif --depth-format exr --depth-format png16" +
    " --height-format png16 --height-format exr --height-format tif --solid --points --arrays --html --animate",
};

const shared: Record<string, string> = { mesh: "--mesh-format", depth: "--depth-format", height: "--height-format" };

/** The command with the options for these downloads, and for the shape of the mesh. */
export function commandWith(command: string, taken: ReadonlySet<string>, shape: Record<string, string>): string {
  const words = [command];
  const everything = taken.has("everything-zip");
  for (const what of taken) {
    if (everything && what !== "everything-zip") continue;
    const [kind, form] = what.split("-");
    if (what in options) words.push(options[what]);
    // depth.npy is always written.
    else if (kind in shared && what !== "depth-npy") words.push(`${shared[kind]} ${form}`);
  }
  if (shape.torn === "0") words.push("--bridged");
  if (shape.mesh !== "welded") words.push(`--mesh ${shape.mesh}`);
  if (shape.keep !== "100") words.push(`--decimate ${shape.keep}%`);
  return words.join(" ");
}
