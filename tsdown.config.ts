import { defineConfig } from "tsdown"

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "ai-sdk": "src/hosts/ai-sdk.ts",
    "openai-agents": "src/hosts/openai-agents.ts",
    testing: "src/testing/index.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Nobody imports the command line.
  dts: {
    entry: ["src/index.ts", "src/hosts/ai-sdk.ts", "src/hosts/openai-agents.ts", "src/testing/index.ts"],
  },
  sourcemap: true,
})
