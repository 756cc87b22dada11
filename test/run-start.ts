import type { RunStart } from "../src/run/log/event-run.ts"

/** How a run of a model begins, for tests that fold events; each adds what it is about. */
export const runStart: RunStart = {
  type: "run-start",
  kind: "agent",
  agent: "a",
  definition: "hash",
  task: "go",
  depth: 0,
  limits: { maxTurns: 5, maxToolCalls: 10, maxDepth: 3 },
  rights: [],
  tools: [],
  model: { requested: null, source: "default", uses: [{ name: "m" }], resolved: "m" },
  variables: {},
  cwd: "/",
}

/** Of the tools `ask` and `no` rules tell what their names do; all others are allowed. */
export const askAndDeny: RunStart["rights"] = [
  {
    of: "x",
    rules: [
      { tool: "ask", decision: "ask" },
      { tool: "no", decision: "deny" },
    ],
    otherwise: "allow",
  },
]
