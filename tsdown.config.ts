import { defineConfig } from "tsdown"

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "ai-sdk": "src/embed/ai-sdk.ts",
    "openai-agents": "src/embed/openai-agents.ts",
    testing: "src/testing/index.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Nobody imports the command line.
  dts: {
    entry: ["src/index.ts", "src/embed/ai-sdk.ts", "src/embed/openai-agents.ts", "src/testing/index.ts"],
  },
  sourcemap: true,
})
