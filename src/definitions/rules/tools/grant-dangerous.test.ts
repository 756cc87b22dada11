import { expect, test } from "vitest"
import { type Case, linesOf } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  ["nothing unusual", { tools: ["Read", "Bash"], permissionMode: "acceptEdits" }, []],
  [
    "never asked",
    { permissionMode: "bypassPermissions" },
    [
      "warning grant-dangerous at permissionMode: `bypassPermissions` means, in hosts that grant it, that no call of this agent is ever asked about. Leave the mode out, or use one that asks.",
    ],
  ],
  [
    "never asked, with commands and the web",
    { tools: ["Bash", "WebFetch"], permissionMode: "bypassPermissions" },
    [
      "warning grant-dangerous at permissionMode: `bypassPermissions` means, in hosts that grant it, that no call of this agent is ever asked about, and it has `Bash` and `WebFetch` without any isolation: a page it reads can have it run commands. Leave the mode out, or use one that asks.",
    ],
  ],
  [
    "commands and the web",
    { tools: ["Bash", "WebSearch"] },
    [
      "info grant-dangerous at tools: This agent has `Bash` and `WebSearch` and no isolation: what it reads on the web may talk it into running commands. Take one of them away, or set `isolation`.",
    ],
  ],
  ["commands and the web, apart", { tools: ["Bash", "WebSearch"], isolation: "worktree" }, []],
  [
    "commands taken away",
    { disallowedTools: ["WebSearch"], tools: ["Bash", "WebSearch"] },
    [
      'warning tools-conflict at disallowedTools "WebSearch": `WebSearch` is both granted and taken away: deny wins, so the agent does not have it. Remove it from one of the two lists.',
    ],
  ],
  [
    "everything allowed",
    { rules: [{ tool: "*", decision: "allow" }] },
    [
      "warning grant-dangerous at start: This rule allows every tool without asking, also those that are added later. Name the tools that are to be allowed.",
    ],
  ],
  ["everything asked", { rules: [{ tool: "*", decision: "ask" }] }, []],
])("rights: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})
