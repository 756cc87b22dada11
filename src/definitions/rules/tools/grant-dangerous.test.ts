import { expect, test } from "vitest"
import { type Case, writeBriefLines } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  ["nothing unusual", { tools: ["Read", "Bash"], permissionMode: "acceptEdits" }, []],
  [
    "never asked",
    { permissionMode: "bypassPermissions" },
    ["warning grant-dangerous at permissionMode: `bypassPermissions`"],
  ],
  [
    "never asked, with commands and the web",
    { tools: ["Bash", "WebFetch"], permissionMode: "bypassPermissions" },
    ["warning grant-dangerous at permissionMode: `bypassPermissions` `Bash` `WebFetch`"],
  ],
  [
    "commands and the web",
    { tools: ["Bash", "WebSearch"] },
    ["info grant-dangerous at tools: `Bash` `WebSearch` `isolation`"],
  ],
  ["commands and the web, apart", { tools: ["Bash", "WebSearch"], isolation: "worktree" }, []],
  [
    "commands taken away",
    { disallowedTools: ["WebSearch"], tools: ["Bash", "WebSearch"] },
    ['warning tools-conflict at disallowedTools "WebSearch": `WebSearch`'],
  ],
  [
    "everything allowed",
    { rules: [{ tool: "*", decision: "allow" }] },
    ["warning grant-dangerous at start: "],
  ],
  ["everything asked", { rules: [{ tool: "*", decision: "ask" }] }, []],
])("rights: %s", (_, subject, expected) => {
  expect(writeBriefLines(subject)).toEqual(expected)
})
