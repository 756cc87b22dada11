import { describe, expect, test } from "vitest"
import type { RuleDecision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import { emptyRunState } from "../state/state.ts"
import { findCause } from "./find-cause.ts"

const set = (
  of: string,
  rules: Readonly<Record<string, RuleDecision>>,
  otherwise: RuleDecision = "allow",
  more: object = {},
): RuleSet => ({
  of,
  rules: Object.entries(rules).map(([tool, decision]) => ({ tool, decision })),
  otherwise,
  ...more,
})
const lead = (rules: Readonly<Record<string, RuleDecision>>) => set("lead", rules, "allow", { agent: "lead" })
const configuration = (rules: Readonly<Record<string, RuleDecision>>, otherwise: RuleDecision = "ask") =>
  set("the configuration", rules, otherwise)
const make: Access = { type: "command", text: "make" }

describe("the cause of what rules decide about Bash", () => {
  test.each<[string, readonly RuleSet[], readonly Access[], object]>([
    ["no rules", [], [], { decision: "allow", type: "default" }],
    [
      "the default of a set",
      [configuration({})],
      [],
      { decision: "ask", type: "default", of: "the configuration" },
    ],
    [
      "a rule that denies, with its agent",
      [lead({ Bash: "deny" }), configuration({ Bash: "allow" })],
      [],
      { decision: "deny", type: "rule", of: "lead", agent: "lead", rule: "Bash" },
    ],
    [
      "the rule about one access, and not the first rule of the set",
      [lead({ Read: "deny", "Bash(make)": "ask" })],
      [make],
      { decision: "ask", type: "rule", of: "lead", agent: "lead", rule: "Bash(make)", about: make },
    ],
    [
      "an allowing rule of the set that would have asked, and not of one that allows anyway",
      [lead({ Bash: "allow" }), configuration({ "Bash(make)": "allow" })],
      [make],
      { decision: "allow", type: "rule", of: "the configuration", rule: "Bash(make)" },
    ],
    [
      "a list of tools allows nothing by itself",
      [set("list", { "Bash(make)": "allow" }, "deny", { tools: ["Bash"] }), configuration({ Bash: "allow" })],
      [make],
      { decision: "allow", type: "rule", of: "the configuration", rule: "Bash" },
    ],
    [
      "an agent's plan mode",
      [set('the plan mode of agent "lead"', { Read: "allow" }, "deny", { agent: "lead" })],
      [],
      { decision: "deny", type: "mode", mode: "plan", agent: "lead" },
    ],
    [
      "a command whose effects are unclear",
      [],
      [{ type: "dangerous", text: "x", reason: "it runs a script" } as never],
      {
        decision: "ask",
        type: "unclear",
        of: "it runs a script",
        about: { type: "dangerous", text: "x", reason: "it runs a script" },
      },
    ],
  ])("%s", (_, rights, accesses, expected) => {
    const state = { ...emptyRunState("r"), start: { cwd: "/w" }, rights } as never
    const call = { id: "c1", tool: "Bash", arguments: "{}", kind: "function", status: "asked", accesses }
    expect(findCause(state, call as never)).toEqual(expected)
  })
})

describe("the cause of what was decided about a call", () => {
  const state = (more: object = {}) =>
    ({
      ...emptyRunState("r"),
      start: { cwd: "/w" },
      rights: [configuration({ Bash: "ask" })],
      ...more,
    }) as never
  const call = (more: object) =>
    ({ id: "c1", tool: "Bash", arguments: "{}", kind: "function", ...more }) as OpenCall
  const asks = { decision: "ask", type: "rule", of: "the configuration", rule: "Bash" }
  test.each<[string, object, object, object]>([
    ["a rule asks", { status: "asked" }, {}, asks],
    ["a rule asks after the hooks passed it", { status: "hooked" }, {}, asks],
    ["the run lacks the tool", { status: "asked", refused: true }, {}, { decision: "deny", type: "tools" }],
    [
      "a step asks",
      { status: "asked", kind: "approval", key: "ship" },
      {},
      { decision: "ask", type: "step", step: "ship" },
    ],
    [
      "a hook blocked it",
      { status: "refused", reason: "no", blocked: { hook: "h" } },
      {},
      { decision: "deny", type: "hook", hook: "h" },
    ],
    [
      "hooks blocked the same call twice before",
      { status: "asked" },
      { blocked: { tool: "Bash", arguments: "{}", count: 2, hook: "h" } },
      { decision: "deny", type: "hook", hook: "h" },
    ],
    [
      "a person refused it",
      { status: "refused", reason: "not today" },
      {},
      { decision: "deny", type: "person", note: "not today" },
    ],
    ["a person approved it", { status: "approved" }, {}, { decision: "allow", type: "person" }],
    [
      "a rule that came later denies what a person approved",
      { status: "approved" },
      { rights: [configuration({ Bash: "deny" })] },
      { decision: "deny", type: "rule", of: "the configuration", rule: "Bash" },
    ],
    ["nobody answered in time", { status: "asking" }, {}, { decision: "deny", type: "time" }],
    [
      "the user's hook hands it to another agent",
      { status: "hooked", spawns: [{ hook: "h", agent: "b", own: { decision: "allow", of: "default" } }] },
      {},
      { decision: "allow", type: "hook", hook: "h" },
    ],
  ])("%s", (_, fields, more, expected) => {
    expect(findCause(state(more), call(fields))).toEqual(expected)
  })
})
