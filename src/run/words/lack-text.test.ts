import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Lack, LackReason } from "../log/event-rights.ts"
import {
  describeLackAdvice,
  describeLackReason,
  describeLacks,
  isLackList,
  writeLackNote,
} from "./lack-text.ts"

const lack = (by: object, more: object = {}): Lack => ({ tool: "Bash", by: by as LackReason, ...more })

describe("why a run goes without a tool, and what to write", () => {
  test.each<[object, string, string]>([
    [
      { type: "rules", of: "the project", rule: "Bash" },
      expect.stringMatching(/denied.*rules.*the project \(f:1\).?$/),
      "Remove `Bash` there to allow it.",
    ],
    [
      { type: "rules", of: "the project", rule: "Bash", asks: true },
      expect.stringMatching(/the project.*require.*it \(f:1\)/),
      "Remove `Bash` there to allow it.",
    ],
    [{ type: "rules", of: "the project" }, "it is not allowed by the project (f:1)", "Allow Bash there."],
    [
      { type: "rules", of: "the trust in /w" },
      "it is not allowed by the trust in /w (f:1)",
      "Review that with `cadre trust`.",
    ],
    [{ type: "mode" }, "plan mode (f:1) allows no changes", expect.stringMatching(/Start.*mode/)],
    [
      { type: "mode", agent: "x" },
      expect.stringMatching(/"x".*plan.*\(f:1\).*subagents/),
      expect.stringMatching(/permissionMode.*it.?$/),
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
    [{ type: "call" }, expect.stringContaining("leaves"), expect.stringMatching(/Bash.*tools.*call/)],
    [
      { type: "caller", agent: "x" },
      expect.stringMatching(/caller.*"x".*Bash \(f:1\).*tools/),
      'Add Bash to the tools of "x".',
    ],
    [
      { type: "caller", agent: "x", needs: ["Write", "Read"] },
      expect.stringMatching(/script.*caller.*"x".*Write, Read \(f:1\)/),
      'Add Write, Read to the tools of "x".',
    ],
    [
      { type: "continued", run: "r" },
      "run r, which it continues, did not have it",
      expect.stringContaining("continuing"),
    ],
    [
      { type: "continued", run: "r", denied: true },
      "run r, which it continues, was denied it",
      expect.stringMatching(/it.*continuing/),
    ],
    [{ type: "unoffered" }, expect.stringMatching(/starts.*programs/), "Remove Bash from the list."],
    [
      { type: "absent", reason: "there is no shell" },
      "there is no shell",
      "Set it up, or remove Bash from the list.",
    ],
    [{ type: "foreign" }, expect.stringContaining("equivalent"), "Remove Bash from the list."],
  ])("%j", (by, reason, advice) => {
    const one = lack(by, { at: "f:1" })
    expect([describeLackReason(one), describeLackAdvice(one), describeLacks([one])]).toEqual([
      reason,
      advice,
      naming("Bash: ", reason, advice),
    ])
    expect(describeLackReason(lack(by))).toBe(describeLackReason(one).replace(" (f:1)", ""))
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
    expect(writeLackNote("a", lacks)).toEqual(
      naming(
        'Agent "a"',
        "Bash, Browse: they",
        "rules of x. Remove `B*`",
        "them. Bash: the call",
        "that call. Bake: it",
        "rules of x (f:1). Remove `B*`",
      ),
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
