import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { getModeRules, type PermissionMode } from "../authority/mode.ts"
import { formats } from "../formats/index.ts"
import { readDefinition } from "./file.ts"
import { findRestriction } from "./find-restriction.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-written-"))

afterAll(() => fs.rmSync(folder, { recursive: true }))

function put(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, `${lines.join("\n")}\n`)
  return file
}

/** The line of `lead.md` that is reported for a part of the agent. */
function lineIn(
  lines: readonly string[],
  part: string,
  index?: number,
  format = "cadre",
): string | undefined {
  const file = put("lead.md", ["---", "name: lead", "description: Leads.", ...lines, "---", "", "Lead."])
  const { agent } = readDefinition(file, formats.find(({ id }) => id === format)!, {})
  const said = { agent: agent!, part, ...(index !== undefined && { index }) }
  return findRestriction(said, { files: [], mode: undefined })?.at?.replace(`${folder}/`, "")
}

describe("of a definition, the line is told", () => {
  test.each<[string, readonly string[], string, number | undefined, string]>([
    ["of an entry", ["disallowedTools:", "  - WebFetch", "  - Bash"], "tools.deny", 1, "lead.md:6"],
    ["of an entry in a text with commas", ["disallowedTools: WebFetch, Bash"], "tools.deny", 1, "lead.md:4"],
    [
      "of an entry in a text of several lines",
      ["disallowedTools: >-", "  WebFetch,", "  Bash"],
      "tools.deny",
      1,
      "lead.md:6",
    ],
    [
      "of a rule",
      ["rules:", "  - {tool: Read, decision: allow}", "  - {tool: Bash, decision: deny}"],
      "rules",
      1,
      "lead.md:6",
    ],
    [
      "of the mode, whatever else is denied",
      ["disallowedTools: [WebFetch]", "permissionMode: plan"],
      "permissionMode",
      undefined,
      "lead.md:5",
    ],
    ["of a limit", ["limits:", "  maxTurns: 3", "  maxDepth: 1"], "limits.maxDepth", undefined, "lead.md:6"],
    ["of the file alone where it does not say it", [], "permissionMode", undefined, "lead.md"],
  ])("%s", (_, lines, part, index, expected) => {
    expect(lineIn(lines, part, index)).toBe(expected)
  })

  test("in another host's format, too", () => {
    expect(lineIn(["disallowedTools: WebFetch, Bash"], "tools.deny", 1, "claude")).toBe("lead.md:4")
  })
})

describe("of a configuration, the line is told", () => {
  const denied = (rule: string) => ({ rule, decision: "deny" as const })
  test.each<
    [
      string,
      readonly string[],
      Parameters<typeof findRestriction>[0],
      PermissionMode | undefined,
      object | undefined,
    ]
  >([
    [
      "of the entry, not of a comment or of another rule about the tool",
      ["# no Bash for anyone", "permissions:", "  allow: ['Bash(npm test)']", "  deny: [WebFetch, Bash]"],
      denied("Bash"),
      undefined,
      { at: "config.yaml:4" },
    ],
    [
      "of an entry in another host's words",
      ["permissions:", "  deny:", "    - WebFetch", "    - run_shell_command"],
      denied("run_shell_command"),
      undefined,
      { at: "config.yaml:4" },
    ],
    [
      "of an entry in a text with commas",
      ["permissions:", "  deny: WebFetch, Bash"],
      denied("Bash"),
      undefined,
      { at: "config.yaml:2" },
    ],
    [
      "of a rule that asks",
      ["permissions:", "  deny: [WebFetch]", "  ask: [Bash]"],
      { rule: "Bash", decision: "ask" },
      undefined,
      { at: "config.yaml:3" },
    ],
    ["of the mode", ["mode: plan"], denied("Bash"), "plan", { mode: "plan", at: "config.yaml:1" }],
    [
      "of no line where the mode was chosen elsewhere",
      ["model: x"],
      denied("Bash"),
      "plan",
      { mode: "plan" },
    ],
    ["of a limit", ["limits:", "  maxDepth: 1"], { limit: "maxDepth" }, undefined, { at: "config.yaml:2" }],
    [
      "of the mode that allows by a rule",
      ["mode: accept-edits"],
      { rule: "Edit(/w/**)", decision: "allow" },
      "accept-edits",
      { mode: "accept-edits", at: "config.yaml:1" },
    ],
    ["of the mode that asks by default", ["model: x"], { otherwise: "ask" }, "default", { mode: "default" }],
    ["of no mode with another default", ["model: x"], { otherwise: "deny" }, "default", undefined],
    [
      "of a rule that allows, before the mode",
      ["permissions:", "  allow: [Read]"],
      { rule: "Read", decision: "allow" },
      "default",
      { at: "config.yaml:2" },
    ],
    ["of nothing where code says it", ["model: x"], denied("Bash"), "default", undefined],
  ])("%s", (_, lines, said, mode, expected) => {
    const found = findRestriction(said, {
      files: [put("config.yaml", lines)],
      mode: mode === undefined ? undefined : { type: mode, ...getModeRules(mode, "/w") },
    })
    expect(found && { ...found, ...(found.at && { at: found.at.replace(`${folder}/`, "") }) }).toEqual(
      expected,
    )
  })
})
