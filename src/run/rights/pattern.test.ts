import fc from "fast-check"
import { expect, test } from "vitest"
import type { Access } from "../../agent/tool.ts"
import {
  anchorPattern,
  covers,
  coversBelow,
  coversTool,
  isAboutCommands,
  isAboutPaths,
  PathTrack,
  readRulePattern,
} from "./pattern.ts"
import { judge } from "./rights.ts"

const command = (text: string): Access => ({ type: "command", text })
const read = (path: string): Access => ({ type: "read", path })
const write = (path: string): Access => ({ type: "write", path })

test.each<[string, Access, boolean]>([
  ["Bash(git status)", command("git status"), true],
  ["Bash(git status)", command("git status -s"), false],
  ["Bash(git:*)", command("git push"), true],
  ["Bash(git:*)", command("git"), true],
  ["Bash(git:*)", command("github"), false],
  ["Bash(git *)", command("git push"), true],
  ["Bash(npm run test*)", command("npm run test:unit"), true],
  ["Bash(npm run test*)", command("npm run build"), false],
  ["Bash(git:*)", read("/w/git"), false],
  ["Read(/w/**)", read("/w/a/b"), true],
  ["Read(/w/**)", read("/w"), true],
  ["Read(/w/*)", read("/w/a/b"), false],
  ["Read(/w/*.ts)", read("/w/a.ts"), true],
  ["Read(/**/.env)", read("/w/a/.env"), true],
  ["Read(/**/.env)", read("/w/a/.ENV"), true],
  ["Read(/**/.env)", read("/w/a/.env.local"), false],
  ["Read(/w/caf\u00e9)", read("/w/cafe\u0301"), true],
  ["Read(/w/**)", write("/w/a"), false],
  ["Grep(/w/**)", read("/w/a"), true],
  ["Glob(/w/**)", read("/w/a"), true],
  ["DirectoryTree(/w/**)", read("/w/a"), true],
  ["GitDiff(/w/**)", read("/w/a"), true],
  ["Edit(/w/**)", read("/w/a"), false],
  ["Read(git push)", command("git push"), false],
  ["Bash(git * push:*)", command("git -C x push -f"), true],
  ["Bash(git * push:*)", command("git pull"), false],
  ["Executor(bot)", { type: "executor", name: "bot" }, true],
  ["Executor(b*)", { type: "executor", name: "bot" }, true],
  ["Executor(bot)", { type: "executor", name: "other" }, false],
  ["Agent(bot)", { type: "executor", name: "bot" }, false],
  ["Bash(rm:*)", { type: "dangerous", reason: "rm" }, false],
  ["Agent(a, b)", { type: "agent", name: "b" }, true],
  ["Agent(old)", { type: "agent", name: "b", aliases: ["old", "older"] }, true],
  ["Agent(c)", { type: "agent", name: "b", aliases: ["old"] }, false],
  ["Bash(b)", { type: "agent", name: "b" }, false],
  ["Bash(example.com)", { type: "host", host: "example.com" }, false],
  ["WebFetch(EXAMPLE.com.)", { type: "host", host: "example.com" }, true],
  ["Bash(npm *)", { type: "unclear", reason: "x", command: "npm *" }, false],
  ["Read(npm test)", { type: "unclear", reason: "x", command: "npm test" }, false],
  ["Edit(/w/**)", write("/w/a"), true],
  ["Write(/w/**)", write("/w/a"), true],
  ["WebFetch(example.com)", { type: "host", host: "EXAMPLE.com." }, true],
  ["WebFetch(domain:example.com)", { type: "host", host: "example.com" }, true],
  ["WebFetch(example.com)", { type: "host", host: "example.com.evil.com" }, false],
  ["WebFetch(*.example.com)", { type: "host", host: "docs.example.com" }, true],
  ["WebFetch(*.example.com)", { type: "host", host: "example.com" }, false],
  ["Agent(reviewer)", { type: "agent", name: "reviewer" }, true],
  ["Agent(reviewer)", { type: "agent", name: "reviewers" }, false],
  ["Bash(x)", { type: "unclear", reason: "x" }, false],
  ["Bash(npm test)", { type: "unclear", reason: "runs scripts", command: "npm test" }, true],
  ["Bash(npm test)", { type: "unclear", reason: "runs scripts", command: "X=1 npm test" }, false],
  ["Bash(npm:*)", { type: "unclear", reason: "runs scripts", command: "npm test" }, false],
])("%s speaks of %j: %s", (pattern, access, expected) => {
  expect(covers(readRulePattern(pattern), access)).toBe(expected)
})

test.each([
  ["Read(~/.ssh/**)", "Read(/home/me/.ssh/**)"],
  ["Read(~)", "Read(/home/me)"],
  ["Read(~other/x)", "Read(/w/~other/x)"],
  ["Read(folder/)", "Read(/**/folder/)"],
  ["DirectoryTree(src/a)", "DirectoryTree(/w/src/a)"],
  ["Read(./src/*)", "Read(/w/src/*)"],
  ["Edit(src/**)", "Edit(/w/src/**)"],
  ["Read(**/.env)", "Read(/**/**/.env)"],
  ["Read(.env)", "Read(/**/.env)"],
  ["Read(//etc/passwd)", "Read(/etc/passwd)"],
  ["Bash(git:*)", "Bash(git:*)"],
  ["Read", "Read"],
])("the path in %s begins somewhere: %s", (pattern, anchored) => {
  expect(anchorPattern(pattern, { cwd: "/w", home: "/home/me" })).toBe(anchored)
})

test("109: a path pattern of many stars is judged in no time", () => {
  const pattern = readRulePattern(`Read(/${"**/a*/".repeat(300)}b)`)
  expect(covers(pattern, read(`/${"aa/".repeat(600)}c`))).toBe(false)
})

const rules = (otherwise: "allow" | "ask" | "deny", ...listed: [string, "allow" | "ask" | "deny"][]) => [
  { of: "x", otherwise, rules: listed.map(([tool, decision]) => ({ tool, decision })) },
]

test.each<[string, ReturnType<typeof rules>, readonly Access[], "allow" | "ask" | "deny"]>([
  [
    "each command is judged",
    rules("ask", ["Bash(git:*)", "allow"]),
    [command("git status"), command("curl x")],
    "ask",
  ],
  [
    "all of them allowed",
    rules("ask", ["Bash(git:*)", "allow"]),
    [command("git a"), command("git b")],
    "allow",
  ],
  [
    "one denied denies all",
    rules("allow", ["Bash(curl:*)", "deny"]),
    [command("git a"), command("curl b")],
    "deny",
  ],
  [
    "what a command reads goes with it",
    rules("ask", ["Bash(cat:*)", "allow"]),
    [command("cat a"), read("/w/a")],
    "allow",
  ],
  [
    "unless a rule names it",
    rules("ask", ["Bash(cat:*)", "allow"], ["Read(/w/a)", "deny"]),
    [command("cat a"), read("/w/a")],
    "deny",
  ],
  [
    "what it writes does not",
    rules("ask", ["Bash(echo:*)", "allow"]),
    [command("echo a"), write("/w/a")],
    "ask",
  ],
  [
    "unless that is allowed, too",
    rules("ask", ["Bash(echo:*)", "allow"], ["Edit(/w/**)", "allow"]),
    [command("echo a"), write("/w/a")],
    "allow",
  ],
  [
    "what is unclear is not covered by a pattern",
    rules("ask", ["Bash(git:*)", "allow"]),
    [{ type: "unclear", reason: "$()" }],
    "ask",
  ],
  [
    "the tool as a whole covers it",
    rules("ask", ["Bash", "allow"]),
    [{ type: "unclear", reason: "$()" }],
    "allow",
  ],
  [
    "161: what is dangerous asks, whatever is allowed",
    rules("allow", ["Bash", "allow"]),
    [command("rm -rf /"), { type: "dangerous", reason: "rm -rf /" }],
    "ask",
  ],
  [
    "and is denied where that is denied",
    rules("allow", ["Bash(rm:*)", "deny"]),
    [command("rm -rf /"), { type: "dangerous", reason: "rm -rf /" }],
    "deny",
  ],
])("%s", (_, rights, accesses, decision) => {
  expect(judge(rights, { tool: "Bash", accesses }).decision).toBe(decision)
})

test("a set that speaks of some tools leaves the others alone", () => {
  const rights = [{ of: "x", tools: ["Bash"], otherwise: "deny" as const, rules: [] }]
  expect([judge(rights, { tool: "Bash" }).decision, judge(rights, { tool: "Read" }).decision]).toEqual([
    "deny",
    "allow",
  ])
})

test.each<[string, string, Access, string]>([
  ["deny", "Read(/**/.env)", { ...read("/w"), below: true } as Access, "ask"],
  ["deny", "Read(/w/priv/**)", { ...read("/w"), below: true } as Access, "ask"],
  ["deny", "Read(/w/priv/**)", { ...read("/w/priv"), below: true } as Access, "deny"],
  ["deny", "Read(/w/priv/**)", { ...read("/w/src"), below: true } as Access, "allow"],
  ["deny", "Edit(/w/keep/**)", { ...write("/w"), below: true } as Access, "ask"],
])(
  "a command that goes through a folder is held by what may lie there: %s %s",
  (decision, tool, access, expected) => {
    const rules = [
      { tool: "Bash", decision: "allow" as const },
      { tool, decision: decision as "deny" },
    ]
    const rights = [{ of: "x", rules, otherwise: "ask" as const }]
    expect(judge(rights, { tool: "Bash", accesses: [command("x"), access] }).decision).toBe(expected)
  },
)

test("a rule that allows a file does not allow a command all that lies below it", () => {
  const decide = (tool: string) =>
    judge(
      [
        {
          of: "x",
          rules: ["Bash(rm:*)", tool].map((tool) => ({ tool, decision: "allow" as const })),
          otherwise: "ask",
        },
      ],
      { tool: "Bash", accesses: [command("rm -r /w/src"), { type: "write", path: "/w/src", below: true }] },
    ).decision
  expect([decide("Edit(/w/src)"), decide("Edit(/w/*)"), decide("Edit(/w/src/**)")]).toEqual([
    "ask",
    "ask",
    "allow",
  ])
})

test.each([
  ["Grep(/w/x)", read("/w/x")],
  ["LS(/w/x)", read("/w/x")],
  ["ApplyPatch(/w/x)", write("/w/x")],
])("%s is about the thing, as Read and Edit are", (pattern, access) => {
  expect(covers(readRulePattern(pattern), access)).toBe(true)
})

test("gone along name by name, a pattern says the same of a path", () => {
  const names = ["a", "b", "A.ts", ".env", "\u00e9"]
  const segments = ["a", "b", "*", "**", "*.ts", ".env", "e\u0301"]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }),
      fc.nat(6),
      (wanted, parts, start) => {
        const argument = `/${wanted.join("/")}`
        const begun = parts.slice(0, start)
        const track = parts
          .slice(start)
          .reduce((one, name) => one.into(name), PathTrack.of(argument, `/${begun.join("/")}`))
        const access = { type: "write", path: `/${parts.join("/")}`, below: true } as const
        const pattern = { tool: "Edit", argument }
        const below = coversBelow(pattern, access)
        const expected = covers(pattern, access)
          ? wanted.at(-1) === "**"
            ? "all"
            : "it"
          : below === "none"
            ? "none"
            : "below"
        expect(track.extent).toBe(expected)
      },
    ),
  )
})

test.each<[string, object]>([
  ["Bash", { tool: "Bash" }],
  ["Bash(*)", { tool: "Bash" }],
  ["Bash(git:*)", { tool: "Bash", argument: "git:*" }],
  ["Agent( a )", { tool: "Agent", argument: "a" }],
])("the pattern %s has a tool, and an argument that is not all", (text, expected) => {
  expect(readRulePattern(text)).toEqual(expected)
  // The second answer comes from a cache.
  expect(readRulePattern(text)).toEqual(expected)
})

test("more patterns than the cache has room for are still read", () => {
  for (let round = 0; round < 10_010; round++) readRulePattern(`Bash(${round})`)
  expect([readRulePattern("Bash(0)"), readRulePattern("Bash(10009)")]).toEqual([
    { tool: "Bash", argument: "0" },
    { tool: "Bash", argument: "10009" },
  ])
})

test.each<[string, Access, "all" | "some" | "none"]>([
  ["Read(/w/**)", read("/w"), "all"],
  ["Read(/w/**)", read("/w/a"), "all"],
  ["Read(/w/a/**)", read("/w"), "some"],
  ["Read(/w/**/x)", read("/w/a"), "some"],
  ["Read(/w/a)", read("/w/a"), "none"],
  ["Read(/v/**)", read("/w"), "none"],
  ["Read(/**/w)", read("/w"), "some"],
  ["Edit(/w/**)", read("/w"), "none"],
  ["Edit(/w/**)", write("/w"), "all"],
  ["Bash(/w/**)", command("/w"), "none"],
])("%s covers a part of the folder %j: %s", (pattern, access, expected) => {
  expect(coversBelow(readRulePattern(pattern), access)).toBe(expected)
})

test.each<[string, boolean, boolean]>([
  ["Read(/a)", true, true],
  ["ApplyPatch(/a)", true, true],
  ["Read", false, false],
  ["Bash(ls)", false, true],
  ["Bash", false, false],
  ["WebFetch(a.com)", false, true],
  ["Agent(a)", false, false],
])("%s is about paths: %s, and about commands: %s", (text, ofPaths, ofCommands) => {
  const pattern = readRulePattern(text)
  expect([isAboutPaths(pattern), isAboutCommands(pattern)]).toEqual([ofPaths, ofCommands])
})

test.each<[string, string, boolean]>([
  ["Bash", "Bash", true],
  ["Ba*", "Bash", true],
  ["Read", "Bash", false],
  ["Agent", "Task", true],
  ["Ag*", "Task", true],
  ["Agent", "Bash", false],
  ["run_*", "Bash", true],
  ["run_shell_command", "Bash", false],
  ["zzz*", "Bash", false],
  ["Agent", "unknown_tool", false],
])("%s names the tool %s: %s", (pattern, tool, expected) => {
  expect(coversTool(pattern, tool)).toBe(expected)
  // The second answer comes from a cache.
  expect(coversTool(pattern, tool)).toBe(expected)
})
