// Builds the page into the Python package, with fixed names so that a rebuild is a readable change.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";

const output = "../src/crevasse/web/static";

/** Digest of everything the bundle is made of; a test compares it, so that a stale bundle is noticed without Node. */
function digest() {
  const files = readdirSync("src").map((name) => join("src", name));
  const hash = createHash("sha256");
  for (const file of ["index.html", "package-lock.json", ...files].sort()) {
    hash.update(file.replaceAll("\\", "/")).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

export default defineConfig({
  base: "./",
  build: {
    outDir: output,
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "[name][extname]", codeSplitting: false },
    },
  },
  plugins: [
    {
      name: "record",
      closeBundle() {
        writeFileSync(join(output, "sources.sha256"), digest() + "\n");
        const licence = readFileSync("node_modules/three/LICENSE", "utf8");
        writeFileSync(join(output, "LICENSES.txt"), "app.js contains three.js:\n\n" + licence);
      },
    },
  ],
});
