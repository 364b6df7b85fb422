// Builds the viewer of a page of one file into the Python package: one script and one style sheet.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import { digest } from "./digest.js";

const output = "../src/crevasse/pictures/assets";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: output,
    emptyOutDir: false,
    lib: { entry: "src/single.ts", formats: ["iife"], name: "crevasse", fileName: () => "viewer.js", cssFileName: "viewer" },
  },
  plugins: [
    {
      name: "record",
      closeBundle() {
        const licence = readFileSync("node_modules/three/LICENSE", "utf8").trim();
        const script = join(output, "viewer.js");
        writeFileSync(script, `/*!\nThis script contains three.js:\n\n${licence}\n*/\n${readFileSync(script, "utf8")}`);
        writeFileSync(join(output, "viewer.sha256"), digest() + "\n");
      },
    },
  ],
});
