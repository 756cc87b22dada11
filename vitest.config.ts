import { configDefaults, defineConfig } from "vitest/config"

const slow = "**/*.slow.test.ts"
const patience = 600_000

/** Two kinds of tests: CONTRIBUTING.md says which is which. */
export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ["test/surroundings.ts"],
    // Only for what never ends: how long a test takes on a loaded machine is not tested.
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: patience / 2 } },
    // Two cores: more workers than that only makes process tests flaky.
    maxWorkers: 2,
    env: { TEST_ROUNDS: process.env.TEST_ROUNDS ?? (mode === "all" ? "all" : "few") },
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, slow],
          setupFiles: ["test/no-processes.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [`src/${slow}`, `test/${slow}`],
          globalSetup: ["test/built.ts"],
        },
      },
    ],
  },
}))
