import { expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { emptyRunState } from "../state/state.ts"
import { rankModels } from "./settle-model.ts"

const agent = (model?: unknown) =>
  defineAgent({ name: "a", instructions: "a", ...(model !== undefined && { model }) } as AgentInput)
const parent = emptyRunState("p")

test.each<[string, Parameters<typeof rankModels>[0], readonly object[]]>([
  [
    "a call, a definition, a caller and a default",
    { agent: agent("m"), parent, model: "n" } as never,
    [
      { source: "call", choice: "n" },
      { source: "definition", choice: "m" },
      { source: "parent", choice: "inherit" },
      { source: "default", choice: null },
    ],
  ],
  [
    "a definition that says nothing",
    { agent: agent(), parent } as never,
    [
      { source: "parent", choice: undefined },
      { source: "default", choice: undefined },
    ],
  ],
  [
    "one that inherits",
    { agent: agent("inherit"), parent } as never,
    [
      { source: "parent", choice: "inherit" },
      { source: "default", choice: "inherit" },
    ],
  ],
  [
    "one that says null, which is the default before any caller's",
    { agent: agent(null), parent } as never,
    [
      { source: "default", choice: null },
      { source: "parent", choice: "inherit" },
    ],
  ],
  [
    "a root without a call",
    { agent: agent("m") } as never,
    [
      { source: "definition", choice: "m" },
      { source: "default", choice: null },
    ],
  ],
  [
    "a call that says null",
    { agent: agent(), model: null } as never,
    [
      { source: "call", choice: null },
      { source: "default", choice: undefined },
    ],
  ],
])("who says which model: %s", (_, chosen, expected) => expect(rankModels(chosen)).toEqual(expected))
