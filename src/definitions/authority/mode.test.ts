import { expect, test } from "vitest"
import type { Access } from "../../agent/tool.ts"
import { judge } from "../../run/rights/rights.ts"
import { deriveMode, findStrictestMode, getModeRules, isWeakerMode, type PermissionMode } from "./mode.ts"

const write: Access = { type: "write", path: "/work/a.ts" }
const outside: Access = { type: "write", path: "/etc/passwd" }
const read: Access = { type: "read", path: "/work/a.ts" }
const command: Access = { type: "command", text: "npm test" }
const risky: Access = { type: "dangerous", reason: "it removes everything" }

const decide = (
  mode: PermissionMode,
  tool: string,
  accesses: readonly Access[],
  allowed: readonly string[] = [],
) => {
  const { rules, otherwise } = getModeRules(mode, "/work")
  const more = allowed.map((tool) => ({ tool, decision: "allow" as const }))
  return judge([{ of: "it", rules: [...more, ...rules], otherwise }], { tool, accesses }).decision
}

test.each<[PermissionMode, string, readonly Access[], string]>([
  ["plan", "Read", [read], "allow"],
  ["plan", "Write", [write], "deny"],
  ["plan", "Bash", [command], "deny"],
  ["plan", "WebFetch", [{ type: "host", host: "x.example" }], "deny"],
  ["default", "Read", [read], "allow"],
  ["default", "Edit", [write], "ask"],
  ["default", "Bash", [command], "ask"],
  ["accept-edits", "Read", [read], "allow"],
  ["accept-edits", "Edit", [write], "allow"],
  ["accept-edits", "Bash", [command], "ask"],
  ["accept-edits", "Bash", [command, outside], "ask"],
  ["bypass", "Bash", [command], "allow"],
  ["bypass", "Bash", [command, risky], "ask"],
])("in %s mode %s of %j is %s", (mode, tool, accesses, decision) => {
  expect(decide(mode, tool, accesses)).toBe(decision)
})

test("a rule opens what a mode asks for, but nothing that changes something in plan mode", () => {
  const allowed = ["Bash(npm test)", "Edit(/work/**)", "Write"]
  expect(decide("default", "Bash", [command], allowed)).toBe("allow")
  expect(decide("default", "Edit", [write], allowed)).toBe("allow")
  expect(decide("plan", "Bash", [command], allowed)).toBe("deny")
  expect(decide("plan", "Edit", [write], allowed)).toBe("deny")
  expect(decide("plan", "Write", [write], allowed)).toBe("deny")
})

const modes: readonly PermissionMode[] = ["plan", "default", "accept-edits", "bypass"]

test.each(modes)("the mode %s is recognized by its rules, with permissions among them", (mode) => {
  const { rules, otherwise } = getModeRules(mode, "/work")
  const more = [
    { tool: "Edit(/other/**)", decision: "allow" },
    { tool: "Write", decision: "allow" },
    { tool: "ApplyPatch", decision: "deny" },
  ] as const
  expect([deriveMode({ rules, otherwise }), deriveMode({ rules: [...more, ...rules], otherwise })]).toEqual([
    mode,
    mode,
  ])
})

test("whole tools that edit are not the mode that accepts edits", () => {
  const rules = ["Edit", "Write", "ApplyPatch"].map((tool) => ({ tool, decision: "allow" as const }))
  expect(deriveMode({ rules, otherwise: "ask" })).toBe("default")
})

test("a denied tool is not allowed, so that a mode without it does not accept edits", () => {
  const allowed = ["Edit", "Write", "Edit(/work/**)"].map((tool) => ({ tool, decision: "allow" as const }))
  const rules = [...allowed, { tool: "ApplyPatch", decision: "deny" as const }]
  expect(deriveMode({ rules, otherwise: "ask" })).toBe("default")
  expect(deriveMode({ rules: [...rules, { tool: "ApplyPatch", decision: "allow" }], otherwise: "ask" })).toBe(
    "accept-edits",
  )
})

test("each mode is weaker than those before it, and the first of several is the strictest", () => {
  expect(modes.map((one) => modes.filter((other) => isWeakerMode(one, other)))).toEqual([
    [],
    ["plan"],
    ["plan", "default"],
    ["plan", "default", "accept-edits"],
  ])
  expect([
    findStrictestMode(),
    findStrictestMode("bypass", "accept-edits"),
    findStrictestMode("default", "plan", "bypass"),
  ]).toEqual([undefined, "accept-edits", "plan"])
})

test("each tool that looks is allowed in every mode with rules, and each that edits is denied in plan mode", () => {
  const allowed = (mode: PermissionMode) =>
    getModeRules(mode, "/work")
      .rules.filter(({ decision }) => decision === "allow")
      .map(({ tool }) => tool)
  const looking = ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff", "TodoWrite", "Think", "Skill"]
  expect(allowed("plan").slice(0, looking.length)).toEqual(looking)
  expect(allowed("default")).toEqual(allowed("plan"))
  expect(allowed("accept-edits")).toEqual([
    ...allowed("plan"),
    "Edit",
    "Write",
    "ApplyPatch",
    "Edit(/work/**)",
  ])
  const denied = getModeRules("plan", "/work").rules.filter(({ decision }) => decision === "deny")
  expect(denied.map(({ tool }) => tool)).toEqual([
    "Edit",
    "Write",
    "ApplyPatch",
    "Bash",
    "Executor",
    "Edit(/**)",
  ])
})
