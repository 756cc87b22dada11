import { expect, test } from "vitest"
import type { Access } from "../../agent/tool.ts"
import { judge } from "../../run/rights/rights.ts"
import { type Mode, rulesOfMode } from "./mode.ts"

const write: Access = { type: "write", path: "/work/a.ts" }
const outside: Access = { type: "write", path: "/etc/passwd" }
const read: Access = { type: "read", path: "/work/a.ts" }
const command: Access = { type: "command", text: "npm test" }
const risky: Access = { type: "dangerous", reason: "it removes everything" }

const decide = (mode: Mode, tool: string, accesses: readonly Access[], allowed: readonly string[] = []) => {
  const { rules, otherwise } = rulesOfMode(mode, "/work")
  const more = allowed.map((tool) => ({ tool, decision: "allow" as const }))
  return judge([{ of: "it", rules: [...more, ...rules], otherwise }], { tool, accesses }).decision
}

test.each<[Mode, string, readonly Access[], string]>([
  ["plan", "Read", [read], "allow"],
  ["plan", "Write", [write], "deny"],
  ["plan", "Bash", [command], "deny"],
  ["plan", "WebFetch", [{ type: "host", host: "x.example" }], "deny"],
  ["default", "Read", [read], "allow"],
  ["default", "Edit", [write], "ask"],
  ["default", "Bash", [command], "ask"],
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
