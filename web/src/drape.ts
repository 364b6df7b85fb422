/** A photograph or albedo of the same size as the map, draped over surfaces. */

import { byId, make, notify } from "./dom";
import type { Ground } from "./ground";
import type { Stage } from "./stage";

const names = /(albedo|photo|diffuse|colou?r|texture|rgb)/i;
const kinds = /\.(png|jpe?g|webp|avif|gif|bmp)$/i;

/** Whether a dropped file is an image to drape, by its name. */
export function isDrape(name: string): boolean {
  return names.test(name) && kinds.test(name) && !/normal/i.test(name);
}

export class Drape {
  private ground: Ground | null = null;
  private chooser = make("input", { type: "file", accept: "image/*", hidden: true });
  /** An image that came with a map that is not open yet. */
  private waiting: File | null = null;
  has = false;
  onChange: () => void = () => {};

  constructor(private stage: Stage) {
    this.chooser.ariaLabel = "Image to drape over the surface";
    byId("stage-box").append(this.chooser);
    this.chooser.addEventListener("change", () => {
      if (this.chooser.files?.length) void this.take(this.chooser.files[0]);
      this.chooser.value = "";
    });
  }

  /** Take the image to drape out of dropped files; returns the others. Without a map, it may be one itself. */
  sort(files: File[]): File[] {
    const image = files.find((file) => isDrape(file.name));
    const others = files.filter((file) => file !== image);
    if (!image || (!others.length && !this.ground)) return files;
    if (others.length) this.waiting = image;
    else void this.take(image);
    return others;
  }

  /** Another map: the image belonged to the one before, unless it has the same size. */
  setGround(ground: Ground): void {
    const same = this.ground && String(this.ground.header.size) === String(ground.header.size);
    this.ground = ground;
    if (!same && this.has) {
      this.has = false;
      this.stage.drawing.setPhoto(null);
      this.onChange();
    }
    if (this.waiting) void this.take(this.waiting);
    this.waiting = null;
  }

  /** Let the user choose an image. */
  browse(): void {
    if (this.ground) this.chooser.click();
  }

  /** Drape an image, if it fits the map. */
  async take(file: File): Promise<void> {
    const { ground } = this;
    if (!ground) return notify(`Open a normal map first; then ${file.name} can be draped over its surface.`);
    let image: ImageBitmap;
    try {
      image = await createImageBitmap(file);
    } catch {
      return notify(`The browser cannot read ${file.name}; save it as PNG or JPEG.`);
    }
    const [rows, columns] = ground.header.size;
    if (Math.abs(image.width * rows - image.height * columns) > 0.01 * image.height * columns) {
      return notify(`${file.name} has ${image.width} × ${image.height} pixels, the map ${columns} × ${rows}; the image must show the same view.`);
    }
    this.has = true;
    this.stage.drawing.setPhoto(image);
    document.body.dataset.draped = file.name;
    this.onChange();
  }
}
