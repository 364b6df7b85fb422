/** Strokes as a file, which `crevasse integrate --hints` takes. */

import type { Stroke } from "./messages";

const tools = ["exclude", "force", "forbid"];

export function strokesText(strokes: Stroke[], size: [number, number]): string {
  return JSON.stringify({ size, strokes });
}

/** The strokes of a file for a map of this size; says why if it holds none. */
export function readStrokes(text: string, size: [number, number]): Stroke[] {
  let data: { size?: unknown; strokes?: unknown } | null = null;
  try {
    data = JSON.parse(text);
  } catch {
    // What is no JSON has no strokes either.
  }
  if (!Array.isArray(data?.strokes)) throw new Error("This file holds no strokes; give one that this page has saved.");
  if (JSON.stringify(data.size) !== JSON.stringify(size)) {
    throw new Error(`These strokes were painted on a map of another size (${String(data.size)}); this one has ${size.join(",")}.`);
  }
  if (!data.strokes.every(isStroke)) throw new Error("A stroke in this file has no tool, no radius or no points.");
  return data.strokes;
}

function isStroke(value: unknown): value is Stroke {
  const stroke = value as Stroke | null;
  return (
    typeof stroke === "object" &&
    tools.includes(stroke?.tool ?? "") &&
    Number(stroke?.radius) > 0 &&
    Array.isArray(stroke?.points) &&
    stroke.points.length > 0 &&
    stroke.points.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite))
  );
}
