/** What the user tells about the map: strokes, its scale, the places of parts. */

import { bindBrush } from "./brush";
import type { Connection } from "./connection";
import type { Gallery } from "./gallery";
import type { MapView } from "./map";
import type { Parts } from "./parts";
import type { Picking } from "./picking";
import type { Results } from "./results";
import type { ScalePanel } from "./scale";
import type { Transport } from "./transport";

interface Panels {
  map: MapView;
  scale: ScalePanel;
  picking: Picking;
  parts: Parts;
  results: Results;
  gallery: Gallery;
  connection: Connection;
  transport: Transport;
}

interface Listener {
  /** Something that can be undone has changed. */
  record(): void;
  /** So it has, and another surface follows from it. */
  changed(): void;
}

export function bindKnowledge(panels: Panels, listener: Listener): void {
  const { map, scale, picking, parts, results, gallery, connection, transport } = panels;
  map.onPaint = () => listener.changed();
  bindBrush(map, () => listener.changed());
  map.onPick = (pixel) => picking.offer(pixel);
  gallery.stage.onClick = (pixel) => picking.offer(pixel);
  picking.onChange = (points, left) => {
    map.markPoints(points);
    if (left) document.body.dataset.picking = String(left);
    else delete document.body.dataset.picking;
    transport.say(left === 2 ? "Click two points on the map or the surface." : left ? "And the other point." : "");
  };
  scale.onMark = (points) => map.markPoints(points);
  scale.onChange = () => {
    connection.send({ kind: "scale", scale: scale.scale() });
    listener.record();
  };
  parts.onMark = (label) => map.markPart(gallery.islands.get(results.chosen()) ?? null, label);
  parts.onMove = (result, label, pixels) => connection.send({ kind: "move", result, label, pixels });
}
