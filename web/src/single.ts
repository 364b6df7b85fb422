/** The viewer of a page of one file, which needs no server: the same views, light and words as the page's. */

import { byId } from "./dom";
import type { Arrays } from "./framing";
import { Grid } from "./grid";
import { Ground } from "./ground";
import { Light } from "./light";
import { Looks } from "./looks";
import type { MapHeader } from "./messages";
import { type Packed, unpackNumbers } from "./packed";
import { showReadout } from "./readout";
import { Stage } from "./stage";
import { Surface } from "./surface";
import { Tools } from "./tools";
import "./viewer.css";

/** What crevasse.pictures.page writes into the file. */
interface Data {
  camera: MapHeader["camera"];
  size: [number, number];
  window: [number, number, number, number];
  step: number;
  level: number;
  unit: string;
  /** Parts of a pixel that heights count. */
  parts: number;
  arrays: Record<"heights" | "points" | "links" | "normals", Packed>;
}

/** Heights as the views take them, -1e30 where there are none. */
function heightsOf(numbers: ArrayLike<number>, parts: number, links: Uint8Array | null): Float32Array {
  return Float32Array.from(numbers, (number, k) => (links && !links[k] ? -1e30 : number / parts));
}

async function show(data: Data): Promise<void> {
  const stage = new Stage();
  const looks = new Looks(stage);
  const [heights, points, links, normals] = await Promise.all(
    (["heights", "points", "links", "normals"] as const).map((name) => unpackNumbers(data.arrays[name])),
  );
  const picture = new Uint8Array(4 * links.length).map((_, k) => (links[k >> 2] ? 255 : 0));
  const header = { camera: data.camera, size: data.size, step: data.step, truth_level: 0 } as MapHeader;
  const grid = Grid.within(data.window, data.step);
  const ground = new Ground(header, { picture, normals }, grid);
  const arrays: Arrays = {
    links,
    heights: heightsOf(heights, data.parts, links as Uint8Array),
    points: heightsOf(points, data.parts, null),
  };
  const surface = Surface.received(ground, grid, data.level, arrays);
  surface.measure = { factor: 1, unit: data.unit };
  stage.setGround(ground);
  stage.a = surface;
  stage.firstSurface(surface);
  looks.setGround(ground);
  looks.setSurfaces(surface, null, null);
  const tools = new Tools(stage, () => ({ a: "Surface", b: "" }), () => null);
  tools.refresh();
  new Light(stage);
  stage.onHover = (pixel) => showReadout(ground, pixel, [surface], false);
  byId("reset-view").addEventListener("click", () => stage.reset());
  byId("front").addEventListener("click", () => stage.front());
}

const root = document.documentElement;
const light = matchMedia("(prefers-color-scheme: light)");
root.dataset.theme = light.matches ? "light" : "dark";
show(JSON.parse(byId("data").textContent!) as Data)
  .then(() => (root.dataset.viewer = "ready"))
  .catch(() => {
    root.dataset.viewer = "none";
    byId("note").textContent = "This browser cannot draw the surface in 3D: WebGL2 is not available. The pictures below show it.";
    byId("note").hidden = false;
  });
