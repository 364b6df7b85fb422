// Digest of everything the bundles are made of; a test compares it, so that a stale bundle is noticed without Node.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export function digest() {
  const files = readdirSync("src").map((name) => join("src", name));
  const hash = createHash("sha256");
  for (const file of ["index.html", "package-lock.json", ...files].sort()) {
    hash.update(file.replaceAll("\\", "/")).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
