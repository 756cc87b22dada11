/** What Codex's subagents (001) must do here: the row about the router of its acceptance list. */
import { describe, expect, test } from "vitest"
import { createRuntime, defineAgent, memoryStore, type RouteResult, route } from "../../src/index.ts"

describe("001 row 5: the router", () => {
  const agents = [
    { name: "tester", keywords: ["tests", "checks"] },
    { name: "spec-parser", keywords: ["spec", "tests"] },
  ]
  const nobody = (reason: string): object => ({ type: "nobody", reason })
  const chosen = (agent: string, reason: string): object => ({ type: "agent", agent, reason })
  test.each<[string, readonly (typeof agents)[number][], Parameters<typeof route>[1], "on" | "off", object]>([
    ["no candidates", [], { agent: "tester" }, "on", nobody("No registered subagents.")],
    ["a blank name", agents, { agent: " " }, "off", nobody(expect.stringContaining("Provide"))],
    [
      "by parameter",
      agents,
      { agent: "Spec Parser" },
      "off",
      chosen("spec-parser", "selected explicitly ('Spec Parser')"),
    ],
    [
      "by a keyword as name",
      agents,
      { agent: "checks" },
      "off",
      chosen("tester", "selected explicitly ('checks')"),
    ],
    ["/use", agents, { text: '  /use "tester" go' }, "off", chosen("tester", "requested via `/use tester`")],
    ["/use without a name", agents, { text: "/use" }, "on", nobody(expect.stringContaining("Provide"))],
    ["/use with an unknown one", agents, { text: "/use who" }, "on", nobody("Unknown subagent 'who'.")],
    ["off by default", agents, { text: "tester, run the tests" }, "off", nobody("Auto-routing disabled.")],
    ["by name", agents, { text: "the tester" }, "on", chosen("tester", "matched agent name 'tester'")],
    [
      "by all words of a name",
      agents,
      { text: "spec: a parser" },
      "on",
      chosen("spec-parser", "matched agent name 'spec-parser', keyword 'spec'"),
    ],
    [
      "by keywords",
      agents,
      { text: "tests and checks" },
      "on",
      chosen("tester", "matched keyword 'tests', keyword 'checks'"),
    ],
    ["a tie", agents, { text: "tests" }, "on", nobody("Multiple agents matched: spec-parser, tester")],
    ["nothing", agents, { text: "paint" }, "on", nobody("No confident keyword match.")],
    [
      "explicit beats words",
      agents,
      { agent: "tester", text: "spec parser" },
      "on",
      chosen("tester", "selected explicitly ('tester')"),
    ],
    // Codex takes `/useful` for `/use ful`, and `lint` for a part of `splint`: seed-systems 2.6 calls them traps.
    [
      "/useful is a word",
      agents,
      { text: "/useful tester" },
      "on",
      chosen("tester", "matched agent name 'tester'"),
    ],
    ["a part of a word is none", agents, { text: "contests" }, "on", nobody("No confident keyword match.")],
  ])("%s", (_, candidates, request, autoRoute, expected) => {
    const { type, reason, ...rest }: RouteResult = route(candidates, request, { autoRoute })
    expect({ type, reason, ...("agent" in rest && { agent: rest.agent }) }).toEqual(expected)
  })

  test("a runtime routes by words only where its configuration says so", () => {
    const parts = {
      agents: [defineAgent({ name: "tester", instructions: "x", keywords: ["tests"] })],
      store: memoryStore(),
    }
    expect([
      createRuntime(parts).route("run the tests").reason,
      createRuntime({ ...parts, autoRoute: true }).route("run the tests").reason,
    ]).toEqual(["Auto-routing disabled.", "matched keyword 'tests'"])
  })
})
