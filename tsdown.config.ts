import { defineConfig } from "tsdown"

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  sourcemap: true,
})
