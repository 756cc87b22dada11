import { describe, expect, test } from "vitest"
import type { Lack, LackReason } from "../log/event-rights.ts"
import { isLackList, lackAdvice, lackNote, lackReason, lackTexts } from "./lack-text.ts"

const lack = (by: object, more: object = {}): Lack => ({ tool: "Bash", by: by as LackReason, ...more })

describe("why a run goes without a tool, and what to write", () => {
  test.each<[object, string, string]>([
    [
      { type: "rules", of: "the project", rule: "Bash" },
      "it is denied by the rules of the project (f:1)",
      "Remove `Bash` there to allow it.",
    ],
    [
      { type: "rules", of: "the project", rule: "Bash", asks: true },
      "the rules of the project require approval for it (f:1), and a program cannot ask for approval",
      "Remove `Bash` there to allow it.",
    ],
    [{ type: "rules", of: "the project" }, "it is not allowed by the project (f:1)", "Allow Bash there."],
    [
      { type: "rules", of: "the trust in /w" },
      "it is not allowed by the trust in /w (f:1)",
      "Review that with `cadre trust`.",
    ],
    [{ type: "mode" }, "plan mode (f:1) allows no changes", "Start the run in another mode."],
    [
      { type: "mode", agent: "x" },
      'agent "x" is in plan mode (f:1), which allows no changes by it or by its subagents',
      "Remove `permissionMode: plan` there to allow it.",
    ],
    [
      { type: "limit", limit: "maxDepth", value: 3 },
      "the depth limit (maxDepth 3) (f:1) is reached",
      "Raise `maxDepth`, or leave Bash out of the list.",
    ],
    [
      { type: "limit", limit: "maxDepth", value: 3, agent: "x" },
      'the depth limit of agent "x" (maxDepth 3) (f:1) is reached',
      "Raise `maxDepth`, or leave Bash out of the list.",
    ],
    [
      { type: "call" },
      "the call that started this tree leaves it out",
      "Add Bash to the `tools` of that call.",
    ],
    [
      { type: "caller", agent: "x" },
      'its caller, agent "x", does not have Bash (f:1), and it may not have more tools than its caller',
      'Add Bash to the tools of "x".',
    ],
    [
      { type: "continued", run: "r" },
      "run r, which it continues, did not have it",
      "Start a new run instead of continuing that one.",
    ],
    [
      { type: "continued", run: "r", denied: true },
      "run r, which it continues, was denied it",
      "A new run has it: start one instead of continuing that run.",
    ],
    [
      { type: "unoffered" },
      "no model may call it, because it starts the programs of agents with an `executor`",
      "Remove Bash from the list.",
    ],
    [
      { type: "absent", reason: "there is no shell" },
      "there is no shell",
      "Set it up, or remove Bash from the list.",
    ],
    [
      { type: "foreign" },
      "it is a tool of another host, and there is no equivalent here",
      "Remove Bash from the list.",
    ],
  ])("%j", (by, reason, advice) => {
    const one = lack(by, { at: "f:1" })
    expect([lackReason(one), lackAdvice(one), lackTexts([one])]).toEqual([
      reason,
      advice,
      `Bash: ${reason}. ${advice}`,
    ])
    expect(lackReason(lack(by))).toBe(reason.replace(" (f:1)", ""))
    expect(isLackList([{ agent: "a", lacks: [one] }])).toBe(true)
  })

  test("is said once for all that the same took", () => {
    const rules = { type: "rules", of: "x", rule: "B*" }
    const lacks = [
      lack(rules),
      lack({ type: "call" }),
      lack(rules, { tool: "Browse" }),
      lack(rules, { tool: "Bake", at: "f:1" }),
    ]
    expect(lackNote("a", lacks)).toBe(
      'Agent "a" did not have all the tools that its definition lists. ' +
        "Bash, Browse: they are denied by the rules of x. Remove `B*` there to allow them. " +
        "Bash: the call that started this tree leaves it out. Add Bash to the `tools` of that call. " +
        "Bake: it is denied by the rules of x (f:1). Remove `B*` there to allow it.",
    )
  })
})

describe("what came from another process may be anything", () => {
  test.each<[unknown, boolean]>([
    [[], true],
    [[{ agent: "a", lacks: [] }], true],
    [{}, false],
    [undefined, false],
    [[null], false],
    [[{ lacks: [] }], false],
    [[{ agent: "a" }], false],
    [[{ agent: "a", lacks: [null] }], false],
    [[{ agent: "a", lacks: [{ tool: "t" }] }], false],
    [[{ agent: "a", lacks: [{ tool: 7, by: { type: "call" } }] }], false],
    [[{ agent: "a", lacks: [{ tool: "t", by: { type: "toString" } }] }], false],
    [
      [
        { agent: "a", lacks: [{ tool: "t", by: { type: "call" } }] },
        { agent: 7, lacks: [] },
      ],
      false,
    ],
  ])("%j: %s", (value, expected) => expect(isLackList(value)).toBe(expected))
})
