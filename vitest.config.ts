import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/surroundings.ts"],
    testTimeout: 30_000,
    // Two cores: more workers than that only makes process tests flaky.
    maxWorkers: 2,
  },
})
