import { describe, expect, test } from "vitest"
import type { Access } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { findCoveringRules, withRules } from "./covering-rules.ts"
import { judge } from "./rights.ts"
import { configurationOwner } from "./rule-sets.ts"

const configuration = (more: RuleSet["rules"] = []): RuleSet => ({
  of: configurationOwner,
  rules: [{ tool: "Read", decision: "allow" }, ...more],
  otherwise: "ask",
})
const command = (text: string, more: object = {}): Access => ({ type: "command", text, ...more })
const write = (path: string, more: object = {}): Access => ({ type: "write", path, ...more })
const isProtected = (path: string) => path.includes("/.git/")

type Row = [name: string, tool: string, accesses: readonly Access[] | undefined, rights?: readonly RuleSet[]]

describe("the narrowest rules", () => {
  test.each<[...Row, rules: readonly string[]]>([
    ["of a command", "Bash", [command("git push")], [configuration()], ["Bash(git push)"]],
    [
      "of a command with a comma",
      "Bash",
      [command("git log --format=%h,%s")],
      [configuration()],
      ["Bash(git log --format=%h,%s)"],
    ],
    ["of an edit", "Edit", [write("/w/a.ts")], [configuration()], ["Edit(/w/a.ts)"]],
    [
      "of a page",
      "WebFetch",
      [{ type: "host", host: "example.com" }],
      [configuration()],
      ["WebFetch(example.com)"],
    ],
    ["of an agent", "Agent", [{ type: "agent", name: "tester" }], [configuration()], ["Agent(tester)"]],
    [
      "of a command and its redirect",
      "Bash",
      [write("/w/x"), command("date")],
      [configuration()],
      ["Edit(/w/x)", "Bash(date)"],
    ],
    [
      "leave out what is allowed already",
      "Bash",
      [write("/w/x"), command("date")],
      [configuration([{ tool: "Bash(date)", decision: "allow" }])],
      ["Edit(/w/x)"],
    ],
  ])("%s", (_, tool, accesses, rights, rules) => {
    const call = { tool, accesses: accesses! }
    const found = findCoveringRules(rights!, call, undefined, isProtected)
    expect(found).toEqual({ type: "rules", rules })
    expect(judge(withRules(rights!, rules), call).decision).toBe("allow")
  })

  test.each<Row>([
    ["for a call that says nothing about itself", "mcp__x__y", undefined],
    ["for a call without accesses", "Bash", []],
    [
      "for what is unclear",
      "Bash",
      [command("npm test"), { type: "unclear", reason: "it runs scripts", command: "npm test" }],
    ],
    ["for an unknown program", "Bash", [command("./x", { loose: "boxed" })]],
    [
      "for what is dangerous",
      "Bash",
      [command("rm x"), { type: "dangerous", reason: "it removes everything" }],
    ],
    ["for a protected file", "Edit", [write("/w/.git/config")]],
    ["for a folder with everything below", "Bash", [command("rm -r b"), write("/w/b", { below: true })]],
    ["for a command with a star", "Bash", [command("rm *.ts")]],
    ["for a command that ends as a rule for all arguments does", "Bash", [command("git:*")]],
    ["for a file with a star in its name", "Edit", [write("/w/*.ts")]],
    ["for a file whose name ends a rule", "Edit", [write("/w/a).ts")]],
    [
      "where the rules of an agent ask",
      "Bash",
      [command("ls")],
      [
        configuration(),
        { of: 'agent "a"', agent: "a", rules: [{ tool: "Bash", decision: "ask" }], otherwise: "allow" },
      ],
    ],
    [
      "where a rule of the configuration asks",
      "Bash",
      [command("git push")],
      [configuration([{ tool: "Bash(git push:*)", decision: "ask" }])],
    ],
  ])("are not offered %s", (_, tool, accesses, rights = [configuration()]) => {
    const found = findCoveringRules(rights, { tool, ...(accesses && { accesses }) }, undefined, isProtected)
    expect(found).toEqual({ type: "none", reason: expect.any(String) })
  })
})
