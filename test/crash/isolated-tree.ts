import { defineAgent } from "../../src/agent/agent.ts"
import type { AgentIsolation } from "../../src/agent/isolation.ts"
import { openRuntime, type Runtime } from "../../src/run/face/runtime.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { createFileTools } from "../../src/world/tools/files.ts"
import { createWorktreeIsolation } from "../../src/world/worktree/isolation.ts"
import { scripted } from "../named-models.ts"

/** What a process that runs an isolated child is told. */
export interface Order {
  readonly top: string
  readonly worktrees: string
  readonly directory: string
  readonly child: "writer" | "reader"
  readonly dies: "before-open" | "after-open" | "open-recorded" | "before-close" | "after-close"
}

const agents = [
  defineAgent({ name: "lead", instructions: "You lead." }),
  defineAgent({ name: "writer", instructions: "You write.", isolation: "worktree" }),
  defineAgent({ name: "reader", instructions: "You read.", isolation: "worktree" }),
]

/** A lead whose child works in a worktree, on a store that outlives the process. */
export function openIsolatedTree(
  { top, worktrees, directory, child }: Omit<Order, "dies">,
  wrap: (isolation: AgentIsolation) => AgentIsolation = (isolation) => isolation,
): Runtime {
  return openRuntime({
    store: jsonlStore({ directory }),
    agents,
    tools: [...createFileTools({ root: top }), agentTool()],
    isolation: wrap(createWorktreeIsolation(worktrees)),
    models: scripted({
      lead: [{ calls: [{ tool: "Agent", input: { agent: child, prompt: "go" } }] }, { text: "done" }],
      writer: [
        { calls: [{ tool: "Write", input: { file_path: "new.txt", content: "new\n" } }] },
        { text: "wrote" },
      ],
      reader: [{ calls: [{ tool: "Read", input: { file_path: "a.txt" } }] }, { text: "read" }],
    }),
  })
}
