import { defineConfig } from "tsdown"

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts", cli: "src/cli/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Nobody imports the command line.
  dts: { entry: ["src/index.ts", "src/testing/index.ts"] },
  sourcemap: true,
})
