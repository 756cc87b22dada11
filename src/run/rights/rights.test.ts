import { describe, expect, test } from "vitest"
import type { RuleDecision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { findForbiddenPaths, judge, mayBeSent } from "./rights.ts"

type Rules = readonly (readonly [string, RuleDecision])[]

const set = (of: string, rules: Rules, otherwise: RuleDecision = "allow", more: object = {}): RuleSet => ({
  of,
  rules: rules.map(([tool, decision]) => ({ tool, decision })),
  otherwise,
  ...more,
})

const command = (text: string, more: object = {}): Access => ({ type: "command", text, ...more })
const read = (path: string, more: object = {}): Access => ({ type: "read", path, ...more })
const write = (path: string, more: object = {}): Access => ({ type: "write", path, ...more })

describe("a call and what it would do", () => {
  const touch = command("touch a", { part: 1 })
  const made = write("/w/a", { by: 1 })
  const list = (...rules: Rules) => set("list", rules, "deny", { tools: ["Bash"] })
  test.each<[string, readonly RuleSet[], string, readonly Access[], object]>([
    ["no rules", [], "w", [], { decision: "allow", of: "default" }],
    ["a rule of its name", [set("x", [["w", "ask"]])], "w", [], { decision: "ask", of: "x" }],
    [
      "the first of two that are as strict",
      [set("x", [["w", "deny"]]), set("y", [["w", "deny"]])],
      "w",
      [],
      { decision: "deny", of: "x" },
    ],
    [
      "a set that speaks of others",
      [set("x", [], "deny", { tools: ["Read"] })],
      "w",
      [],
      { decision: "allow", of: "default" },
    ],
    [
      "a set that speaks of it",
      [set("x", [], "deny", { tools: ["Read", "w"] })],
      "w",
      [],
      { decision: "deny", of: "x" },
    ],
    [
      "the strictest of what it would do",
      [
        set("x", [
          ["Read(/a)", "ask"],
          ["Read(/b)", "deny"],
        ]),
      ],
      "w",
      [read("/a"), read("/b"), read("/c")],
      { decision: "deny", of: "x", about: read("/b") },
    ],
    [
      "deny beats ask beats allow, in any order",
      [
        set("x", [
          ["w", "deny"],
          ["w", "ask"],
          ["w", "allow"],
        ]),
      ],
      "w",
      [],
      { decision: "deny", of: "x" },
    ],
    [
      "an allowance of the tool, where the set asks otherwise",
      [set("x", [["w", "allow"]], "ask")],
      "w",
      [],
      { decision: "allow", of: "default" },
    ],
    [
      "an allowance of a path does not deny others",
      [set("x", [["Read(/a)", "allow"]])],
      "w",
      [read("/b")],
      { decision: "allow", of: "default" },
    ],
    [
      "only what a list allows",
      [set("x", [["Read(/a)", "allow"]], "deny")],
      "Read",
      [read("/b")],
      { decision: "deny", of: "x", about: read("/b") },
    ],
    [
      "a rule with an argument says nothing of a call that says nothing",
      [set("x", [["Read(/a)", "deny"]])],
      "w",
      [],
      { decision: "allow", of: "default" },
    ],
    [
      "what is dangerous asks, whatever rules allow",
      [set("x", [["w", "allow"]])],
      "w",
      [{ type: "dangerous", reason: "it removes all" }],
      { decision: "ask", of: "it removes all", about: { type: "dangerous", reason: "it removes all" } },
    ],
    [
      "what is dangerous and denied",
      [set("x", [["w", "deny"]])],
      "w",
      [{ type: "dangerous", reason: "r" }],
      { decision: "deny", of: "x", about: { type: "dangerous", reason: "r" } },
    ],
    [
      "what a command reads is decided with the command",
      [set("x", [["Bash(cat:*)", "allow"]], "ask")],
      "Bash",
      [command("cat a"), read("/a")],
      { decision: "allow", of: "default" },
    ],
    [
      "and where it reaches",
      [set("x", [["Bash(curl:*)", "allow"]], "ask")],
      "Bash",
      [command("curl a"), { type: "host", host: "a" }],
      { decision: "allow", of: "default" },
    ],
    [
      "what a tool reads is not",
      [set("x", [["Bash(cat:*)", "allow"]], "ask")],
      "Read",
      [read("/a")],
      { decision: "ask", of: "x", about: read("/a") },
    ],
    [
      "a rule names what a command reads",
      [
        set(
          "x",
          [
            ["Bash(cat:*)", "allow"],
            ["Read(/a)", "deny"],
          ],
          "ask",
        ),
      ],
      "Bash",
      [command("cat a"), read("/a")],
      { decision: "deny", of: "x", about: read("/a") },
    ],
    [
      "what a command writes besides is not decided with it",
      [set("x", [["Bash(cat:*)", "allow"]], "ask")],
      "Bash",
      [command("cat a"), write("/a")],
      { decision: "ask", of: "x", about: write("/a") },
    ],
    [
      "what a command is there to write is",
      [set("x", [["Bash(cat:*)", "allow"]], "ask")],
      "Bash",
      [command("cat a"), write("/a", { implied: "certain" })],
      { decision: "allow", of: "default" },
    ],
    [
      "a listed command may do what it does",
      [list(["Bash(touch:*)", "allow"])],
      "Bash",
      [touch, made],
      { decision: "allow", of: "default" },
    ],
    [
      "and not what another does",
      [list(["Bash(touch:*)", "allow"])],
      "Bash",
      [touch, write("/w/a", { by: 2 })],
      { decision: "deny", of: "list", about: write("/w/a", { by: 2 }) },
    ],
    [
      "and no redirect",
      [list(["Bash(touch:*)", "allow"])],
      "Bash",
      [touch, write("/w/a")],
      { decision: "deny", of: "list", about: write("/w/a") },
    ],
    [
      "and only where it is allowed",
      [list(["Bash(touch:*)", "ask"])],
      "Bash",
      [touch, made],
      { decision: "deny", of: "list", about: made },
    ],
    [
      "and only where it is listed",
      [list(["Bash(ls:*)", "allow"])],
      "Bash",
      [touch, made],
      { decision: "deny", of: "list", about: touch },
    ],
    [
      "rules that are no list say nothing of it",
      [set("x", [["Bash(touch:*)", "allow"]], "deny")],
      "Bash",
      [touch, made],
      { decision: "deny", of: "x", about: made },
    ],
  ])("%s", (_, rights, tool, accesses, expected) => {
    expect(judge(rights, { tool, accesses })).toEqual(expected)
  })
})

describe("a command that goes through a folder", () => {
  const below = read("/w", { below: true })
  const of = (tool: string, accesses: readonly Access[], ...rules: Rules) =>
    judge([set("x", rules, tool === "Grep" ? "allow" : "ask")], { tool, accesses }).decision
  test.each<[string, string, readonly Access[], Rules, RuleDecision]>([
    [
      "is allowed where all of it is",
      "Bash",
      [command("ls"), below],
      [
        ["Bash(ls)", "allow"],
        ["Read(/w/**)", "allow"],
      ],
      "allow",
    ],
    [
      "is asked about where something forbidden may lie there",
      "Bash",
      [command("ls"), below],
      [
        ["Bash(ls)", "allow"],
        ["Read(/w/secret)", "deny"],
      ],
      "ask",
    ],
    [
      "is denied where the folder is",
      "Bash",
      [command("ls"), below],
      [
        ["Bash(ls)", "allow"],
        ["Read(/w/**)", "deny"],
      ],
      "deny",
    ],
    [
      "is allowed where what is forbidden lies elsewhere",
      "Bash",
      [command("ls"), below],
      [
        ["Bash(ls)", "allow"],
        ["Read(/v/secret)", "deny"],
      ],
      "allow",
    ],
    ["of a tool leaves that out itself", "Grep", [below], [["Read(/w/secret)", "deny"]], "allow"],
    [
      "is not allowed by what allows a part",
      "Bash",
      [command("ls"), write("/w", { below: true })],
      [
        ["Bash(ls)", "allow"],
        ["Edit(/w/a)", "allow"],
      ],
      "ask",
    ],
    [
      "is not allowed by what allows the folder alone",
      "Bash",
      [command("ls"), write("/w", { below: true })],
      [
        ["Bash(ls)", "allow"],
        ["Edit(/w)", "allow"],
      ],
      "ask",
    ],
    [
      "is allowed by what allows all of it",
      "Bash",
      [command("ls"), write("/w", { below: true })],
      [
        ["Bash(ls)", "allow"],
        ["Edit(/w/**)", "allow"],
      ],
      "allow",
    ],
  ])("%s", (_, tool, accesses, rules, expected) => expect(of(tool, accesses, ...rules)).toBe(expected))
})

describe("a command of which nobody knows what it does", () => {
  const make = (loose: "boxed" | "free") => command("make all", { loose })
  const of = (loose: "boxed" | "free", ...rights: readonly RuleSet[]) => {
    const { decision, of } = judge(rights, { tool: "Bash", accesses: [make(loose)] })
    return `${decision} ${of}`
  }
  const named = set("names", [["Bash(make:*)", "allow"]])
  const noPath = set("paths", [["Read(/a)", "deny"]])
  const askPath = set("asks", [["Read(/a)", "ask"]])
  const noHost = set("hosts", [["WebFetch(domain:a)", "deny"]])
  const noCommand = set("commands", [["Bash(rm:*)", "ask"]])
  const whole = set("whole", [
    ["Bash", "ask"],
    ["Read", "deny"],
  ])
  test.each<[string, "boxed" | "free", readonly RuleSet[], string]>([
    ["free, no rules", "free", [], "allow default"],
    ["free, a path is denied", "free", [noPath], "ask paths"],
    ["free, a path is asked about", "free", [askPath], "ask asks"],
    ["free, a host is denied", "free", [noHost], "ask hosts"],
    ["free, a command is asked about", "free", [noCommand], "ask commands"],
    ["free, rules about whole tools", "free", [set("y", [["Read", "deny"]])], "allow default"],
    ["free, rules that allow", "free", [set("y", [["Read(/a)", "allow"]])], "allow default"],
    ["boxed, a path is denied: the sandbox keeps it", "boxed", [noPath], "allow default"],
    ["boxed, a path is asked about: nobody can", "boxed", [askPath], "ask asks"],
    ["boxed, a command is asked about", "boxed", [noCommand], "allow default"],
    ["boxed, whole tools are asked about", "boxed", [whole], "ask whole"],
    [
      "allowed by name in the same set",
      "free",
      [
        set("both", [
          ["Bash(make:*)", "allow"],
          ["Read(/a)", "deny"],
        ]),
      ],
      "allow default",
    ],
    [
      "allowed as a tool and not by name",
      "free",
      [
        set("both", [
          ["Bash", "allow"],
          ["Read(/a)", "deny"],
        ]),
      ],
      "ask both",
    ],
    ["allowed by name above", "free", [noPath, named], "allow default"],
    ["allowed by name below", "free", [named, noPath], "ask paths"],
    ["another is allowed by name above", "free", [noPath, set("n", [["Bash(ls:*)", "allow"]])], "ask paths"],
    ["one that is asked about by name above", "free", [noPath, set("n", [["Bash(make:*)", "ask"]])], "ask n"],
    [
      "one that is denied by name above, in rules about another tool",
      "free",
      [noPath, set("n", [["Bash(make:*)", "deny"]], "allow", { tools: ["Read"] })],
      "ask paths",
    ],
    [
      "allowed by another configuration: that does not speak for this one",
      "free",
      [
        set("the configuration", [["Read(/a)", "deny"]]),
        set("the configuration", [["Bash(make:*)", "allow"]]),
      ],
      "ask the configuration",
    ],
    [
      "rules about other tools alone",
      "free",
      [set("r", [["Read(/a)", "deny"]], "allow", { tools: ["Read"] })],
      "allow default",
    ],
    [
      "rules about this tool alone",
      "free",
      [set("r", [["Read(/a)", "deny"]], "allow", { tools: ["Bash"] })],
      "ask r",
    ],
    ["the first whose rules may be broken", "free", [named, noHost, noPath], "ask hosts"],
  ])("%s", (_, loose, rights, expected) => expect(of(loose, ...rights)).toBe(expected))
})

describe("in a tree that the run was moved to", () => {
  const moved = [{ from: "/home/p", to: "/trees/p" }]
  const of = (path: string, rules: Rules) =>
    judge([set("x", rules)], { tool: "Read", accesses: [read(path)] }, moved).decision
  test.each<[string, Rules, RuleDecision]>([
    ["/trees/p/a", [["Read(/home/p/a)", "deny"]], "deny"],
    ["/trees/p/a", [["Read(/trees/p/a)", "ask"]], "ask"],
    [
      "/trees/p/a",
      [
        ["Read(/trees/p/a)", "ask"],
        ["Read(/home/p/a)", "deny"],
      ],
      "deny",
    ],
    [
      "/trees/p/a",
      [
        ["Read(/trees/p/a)", "deny"],
        ["Read(/home/p/a)", "ask"],
      ],
      "deny",
    ],
    ["/trees/p/b", [["Read(/home/p/a)", "deny"]], "allow"],
    ["/elsewhere/a", [["Read(/home/p/a)", "deny"]], "allow"],
  ])("%s, %j: %s", (path, rules, expected) => expect(of(path, rules)).toBe(expected))

  test.each<[string, readonly RuleSet[], boolean]>([
    ["no rule speaks of it", [set("x", [], "ask")], true],
    ["a rule allows it", [set("x", [["Read(/home/p/a)", "allow"]], "ask")], true],
    ["a rule asks about it", [set("x", [["Read(/home/p/a)", "ask"]])], false],
    ["a rule denies it by its other name", [set("x", [["Read(/trees/p/a)", "deny"]])], false],
    [
      "a list of tools does not have it",
      [set("x", [["Read(/b)", "allow"]], "deny", { tools: ["Read"] })],
      false,
    ],
  ])("a file is put into a prompt where %s", (_, rights, expected) => {
    expect(mayBeSent(rights, "/home/p/a", moved)).toBe(expected)
  })
})

test("the paths that are forbidden are those that rules deny", () => {
  const rights = [
    set("x", [
      ["Read(/a)", "deny"],
      ["Grep(/g)", "deny"],
      ["Edit(/b)", "deny"],
      ["Read(/c)", "ask"],
      ["Write(/d)", "allow"],
      ["Read", "deny"],
      ["Bash(ls)", "deny"],
    ]),
    set("y", [["Write(/e)", "deny"]]),
  ]
  expect(findForbiddenPaths(rights)).toEqual([
    { use: "read", pattern: "/a" },
    { use: "read", pattern: "/g" },
    { use: "write", pattern: "/b" },
    { use: "write", pattern: "/e" },
  ])
})
