import { expect, test } from "vitest"
import { world } from "../kit.ts"

const parts = {
  script: { reviewer: [{ text: "fine" }] },
  agents: [{ name: "reviewer", instructions: "x", keywords: ["diff"] }],
}

test("a runtime routes as the router does: by name always, by words only where that is switched on", () => {
  const { runtime } = world(parts)
  const { runtime: automatic } = world({ ...parts, runtime: { autoRoute: true } })
  const said = ({ type, reason }: ReturnType<typeof runtime.route>) => `${type}: ${reason}`
  expect([
    said(runtime.route("/use reviewer look")),
    said(runtime.route({ text: "look", agent: "reviewer" })),
    said(runtime.route("look at the diff")),
    said(automatic.route("look at the diff")),
  ]).toEqual([
    "agent: requested via `/use reviewer`",
    "agent: selected explicitly ('reviewer')",
    "nobody: Auto-routing disabled.",
    "agent: matched keyword 'diff'",
  ])
})
