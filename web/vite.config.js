// Builds the page into the Python package, with fixed names so that a rebuild is a readable change.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import { digest } from "./digest.js";

const output = "../src/crevasse/web/static";

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
