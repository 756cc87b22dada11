import { describe, expect, test } from "vitest"
import type { RuleSet } from "../log/event-rights.ts"
import { collectBindingSets, findDenial } from "./find-denial.ts"

const known = new Map(["Bash", "Read", "Write"].map((name) => [name, {}]))
const set = (more: object): RuleSet => ({ of: "x", rules: [], otherwise: "allow", ...more })
const rule = (tool: string, decision: "allow" | "ask" | "deny") => ({ tool, decision })

describe("who takes a tool from a run", () => {
  test.each<[string, readonly RuleSet[], object | undefined]>([
    ["nobody", [], undefined],
    ["nobody who says nothing", [set({})], undefined],
    ["whoever denies it", [set({ rules: [rule("Bash", "deny")] })], { of: "x", rule: "Bash" }],
    [
      "an agent that does",
      [set({ agent: "a", rules: [rule("Bash", "deny")] })],
      { of: "x", agent: "a", rule: "Bash" },
    ],
    [
      "whoever denies it by another host's word",
      [set({ rules: [rule("run_shell_command", "deny")] })],
      { of: "x", rule: "run_shell_command" },
    ],
    ["whoever denies all", [set({ rules: [rule("*", "deny")] })], { of: "x", rule: "*" }],
    [
      "the first who does",
      [set({}), set({ of: "y", rules: [rule("Bash", "deny")] }), set({ rules: [rule("Bash", "deny")] })],
      { of: "y", rule: "Bash" },
    ],
    ["nobody who denies another", [set({ rules: [rule("Read", "deny")] })], undefined],
    ["nobody who denies a part of it", [set({ rules: [rule("Bash(rm *)", "deny")] })], undefined],
    ["nobody who asks about it", [set({ rules: [rule("Bash", "ask")] })], undefined],
    ["whoever allows nothing", [set({ otherwise: "deny" })], { of: "x" }],
    [
      "whoever allows another alone",
      [set({ rules: [rule("Read", "allow")], otherwise: "deny" })],
      { of: "x" },
    ],
    ["nobody who allows it", [set({ rules: [rule("Bash", "allow")], otherwise: "deny" })], undefined],
    [
      "nobody who asks about it and denies the rest",
      [set({ rules: [rule("Bash", "ask")], otherwise: "deny" })],
      undefined,
    ],
    [
      "nobody who may allow a part of it",
      [set({ rules: [rule("Bash(ls)", "allow")], otherwise: "deny" })],
      undefined,
    ],
    [
      "whoever denies a part and the rest",
      [set({ rules: [rule("Bash(ls)", "deny")], otherwise: "deny" })],
      { of: "x" },
    ],
    [
      "whoever denies it, and allows it before",
      [set({ rules: [rule("Bash", "allow"), rule("Bash", "deny")] })],
      { of: "x", rule: "Bash" },
    ],
    [
      "nobody whose rules are about other tools",
      [set({ tools: ["Read"], otherwise: "deny", rules: [rule("Bash", "deny")] })],
      undefined,
    ],
    ["whoever's rules are about it", [set({ tools: ["Bash"], otherwise: "deny" })], { of: "x" }],
  ])("%s", (_, sets, expected) => {
    expect(findDenial(sets, "Bash", known)).toEqual(expected)
    // The tools that a rule names are cached.
    expect(findDenial(sets, "Bash", known)).toEqual(expected)
  })
})

describe("whose rules bind a run", () => {
  const [mine, parents, before, ended] = ["mine", "parent", "before", "ended"].map((of) =>
    set({ of, rules: [rule("Bash", "deny")] }),
  )
  const names = (beginning: object) =>
    collectBindingSets({ rights: mine! }, beginning as never).map(({ of }) => of)
  test.each<[string, object, readonly string[]]>([
    ["a root's", {}, ["mine"]],
    ["a child's", { parent: { rights: [parents] } }, ["parent"]],
    ["one that has another's task", { follows: { rights: [before] } }, ["mine", "before"]],
    ["one that continues another", { continuedRun: { rights: [ended] } }, ["mine", "ended"]],
    [
      "a child that does",
      { parent: { rights: [parents] }, continuedRun: { rights: [ended] } },
      ["parent", "ended"],
    ],
  ])("%s", (_, beginning, expected) => expect(names(beginning)).toEqual(expected))
})
