/** The agents that ship, by name. Each is a file of the package's folder `agents`. */
export const builtInAgents: Readonly<Record<string, string>> = {
  critic: "critic.md",
  explorer: "explorer.md",
  planner: "planner.md",
  researcher: "researcher.md",
  reviewer: "reviewer.md",
  "test-writer": "test-writer.md",
  "validation-runner": "validation-runner.yaml",
  worker: "worker.md",
}
