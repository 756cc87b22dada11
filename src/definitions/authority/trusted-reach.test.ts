import { expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Workspace } from "../registry/workspace.ts"
import { createReachLimit } from "./trusted-reach.ts"
import type { WorkspaceTrust } from "./workspace-trust.ts"

const agent = (name: string, origin: object): Agent => {
  const made = defineAgent({ name, instructions: name, tools: ["Agent"] } as AgentInput)
  return { ...made, origin: { ...made.origin, ...origin } } as Agent
}
const lead = agent("lead", { scope: "project", file: "/p/lead.md" })
const loose = agent("loose", { scope: "project", file: undefined })
const mine = agent("mine", { scope: "user", file: "/home/mine.md" })
const all = [lead, loose, mine]

/** The limit, and the files that the standing was asked about. The standing has shown all reached agents but one. */
function limited(trusting: "all" | object) {
  const asked: string[] = []
  const workspace = {
    registry: { all: () => all },
    configuration: { hooks: { user: {}, project: {} } },
    hookFiles: [],
  } as unknown as Workspace
  const standing = {
    shownReach: (file: string, reached: readonly { readonly name: string }[]) => {
      asked.push(file)
      return reached.filter(({ name }) => name !== "mine")
    },
  } as unknown as WorkspaceTrust
  return { asked, limit: createReachLimit(workspace, standing, trusting as never) }
}

test("whoever is trusted for this once may have anybody work", () => {
  const { limit, asked } = limited("all")
  expect([all.map((one) => limit(one)), asked]).toEqual([[undefined, undefined, undefined], []])
})

test("a person's own agents, and those without a file, are not limited", () => {
  const { limit, asked } = limited({ of: () => "trusted", root: "/p" })
  expect([limit(mine), limit(loose), asked]).toEqual([undefined, undefined, []])
})

test("an agent of a project may have those work that were shown with its file", () => {
  const { limit, asked } = limited({ of: () => "trusted", root: "/p" })
  // The agent reaches itself too, through the agents that it calls.
  expect(limit(lead)).toEqual(["lead", "loose"])
  expect(asked).toEqual(["/p/lead.md"])
})
