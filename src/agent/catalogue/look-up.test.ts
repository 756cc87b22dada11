import fc from "fast-check"
import { expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import { lookUpTool, splitToolName } from "./look-up.ts"
import { canonicalTools, catalogueDate, hosts } from "./tools.ts"

test.each([
  // Our names, even if a host has the same.
  ["Read", { type: "tool", name: "Read" }],
  [" Read ", { type: "tool", name: "Read" }],
  ["DirectoryTree", { type: "tool", name: "DirectoryTree" }],
  ["Agent(reviewer, tester)", { type: "tool", name: "Agent" }],
  ["Bash(git:*)", { type: "tool", name: "Bash" }],
  // Other hosts' names for ours.
  ["Task", { type: "equivalent", name: "Agent", hosts: ["claude", "droid"] }],
  ["Subagent", { type: "equivalent", name: "Agent", hosts: ["acai"] }],
  ["spawn_subagent", { type: "equivalent", name: "Agent", hosts: ["instructor"] }],
  ["start_agent", { type: "equivalent", name: "Agent", hosts: ["gobby"] }],
  ["spawn_agent", { type: "equivalent", name: "Agent", hosts: ["codex", "zed", "gobby"] }],
  ["MultiEdit", { type: "equivalent", name: "Edit", hosts: ["claude"] }],
  [
    "apply_patch",
    { type: "equivalent", name: "ApplyPatch", hosts: ["codex", "opencode", "copilot", "roo", "cline"] },
  ],
  ["update_plan", { type: "equivalent", name: "TodoWrite", hosts: ["codex"] }],
  ["run_shell_command", { type: "equivalent", name: "Bash", hosts: ["gemini", "qwen"] }],
  ["Execute", { type: "equivalent", name: "Bash", hosts: ["droid"] }],
  ["write_to_file", { type: "equivalent", name: "Write", hosts: ["roo", "cline"] }],
  ["codebase", { type: "equivalent", name: "Grep", hosts: ["vscode"] }],
  ["search/changes", { type: "equivalent", name: "GitDiff", hosts: ["vscode"] }],
  ["find", { type: "equivalent", name: "Glob", hosts: ["pi"] }],
  // A name for several of our tools, and a name on which hosts agree only in part.
  ["search", { type: "equivalent", name: "Grep", also: ["Glob"], hosts: ["copilot"] }],
  ["fs_write", { type: "equivalent", name: "Edit", also: ["Write"], hosts: ["kiro"] }],
  ["edit", { type: "equivalent", name: "Edit", hosts: ["qwen", "opencode", "copilot", "droid", "pi"] }],
  ["search_files", { type: "equivalent", name: "Grep", hosts: ["roo", "cline", "instructor"] }],
  // No equivalent.
  ["NotebookEdit", { type: "foreign", hosts: ["claude"] }],
  ["PowerShell", { type: "foreign", hosts: ["claude"] }],
  ["usages", { type: "foreign", hosts: ["vscode"] }],
  ["lsp", { type: "foreign", hosts: ["qwen", "opencode"] }],
  ["@builtin", { type: "foreign", hosts: ["kiro"] }],
  ["ms-python.python/installPythonPackage", { type: "foreign", hosts: ["vscode-extensions"] }],
  ["pgsql_query", { type: "foreign", hosts: ["vscode-extensions"] }],
  // MCP servers.
  ["mcp__github", { type: "mcp", server: "github" }],
  ["mcp__github__*", { type: "mcp", server: "github" }],
  ["mcp__github__create_issue", { type: "mcp", server: "github", tool: "create_issue" }],
  ["mcp__my_server__get__all", { type: "mcp", server: "my_server", tool: "get__all" }],
  ["mcp__github__get_*", { type: "mcp", server: "github", tool: "get_*" }],
  ["mcp_github_create_issue", { type: "mcp", server: "github", tool: "create_issue" }],
  ["mcp_github_*", { type: "mcp", server: "github" }],
  ["@github", { type: "mcp", server: "github" }],
  ["@github/create_issue", { type: "mcp", server: "github", tool: "create_issue" }],
  ["mcp:github/create_issue", { type: "mcp", server: "github", tool: "create_issue" }],
  ["microsoft.docs.mcp", { type: "mcp", server: "microsoft.docs.mcp" }],
  ["github", { type: "mcp", server: "github" }],
  ["context7/*", { type: "mcp", server: "context7" }],
  ["github/search_code", { type: "mcp", server: "github", tool: "search_code" }],
  ["microsoft.docs.mcp/*", { type: "mcp", server: "microsoft.docs.mcp" }],
  ["terraform.mcp/*", { type: "mcp", server: "terraform.mcp" }],
  ["io.github.upstash/context7/*", { type: "mcp", server: "io.github.upstash/context7" }],
  // Patterns.
  ["*", { type: "pattern" }],
  ["mcp__*", { type: "pattern" }],
  ["mcp_*", { type: "pattern" }],
  ["edit/*", { type: "pattern" }],
  ["mymcp_*", { type: "pattern" }],
  // Names of no host.
  ["READ", { type: "unknown" }],
  ["bAsh", { type: "unknown" }],
  ["Raed", { type: "unknown" }],
  ["edit/frobnicate", { type: "unknown" }],
  ["Agent(reviewer", { type: "unknown" }],
  ["mcp__", { type: "unknown" }],
  ["__proto__", { type: "unknown" }],
  ["", { type: "unknown" }],
])("%j is %j", (name, expected) => {
  expect(lookUpTool(name)).toEqual(expected)
})

test.each([
  ["edit", "copilot", { name: "Edit", also: ["Write"] }],
  ["edit", "droid", { name: "Edit", also: ["Write", "ApplyPatch"] }],
  ["edit", "pi", { name: "Edit" }],
  ["edit", "claude", { name: "Edit" }],
  ["search_files", "instructor", { name: "Grep", also: ["Glob"] }],
])("%s in a file of %s means what that host means", (name, host, expected) => {
  const { hosts: _, type, ...tools } = { hosts: [], ...lookUpTool(name, host) }
  expect({ type, ...tools }).toEqual({ type: "equivalent", ...expected })
})

test.each([
  ["Agent(a, b)", { name: "Agent", argument: "a, b" }],
  ["Bash(git:*)", { name: "Bash", argument: "git:*" }],
  ["Bash (echo (x))", { name: "Bash", argument: "echo (x)" }],
  ["Agent()", { name: "Agent", argument: "" }],
  ["Agent", { name: "Agent" }],
  ["Agent(a", { name: "Agent(a" }],
  ["(a)", { name: "(a)" }],
])("%j splits into %j", (text, expected) => {
  expect(splitToolName(text)).toEqual(expected)
})

test("hosts that share a name agree on at least one tool, and no name is both mapped and foreign in one host", () => {
  for (const { id, equivalents, foreign } of hosts) {
    const names = Object.values(equivalents).flatMap((listed) => listed.split(" "))
    for (const name of names)
      expect(lookUpTool(name), name).toEqual(
        expect.objectContaining({ type: "equivalent", name: expect.any(String) }),
      )
    expect(
      foreign.split(/\s+/).filter((name) => names.includes(name)),
      id,
    ).toEqual([])
  }
})

test("every host says where its names come from, and the catalogue when", () => {
  expect(hosts.filter(({ source }) => !/\d{4}-\d{2}-\d{2}/.test(source))).toEqual([])
  expect(new Set(hosts.map(({ id }) => id)).size).toBe(hosts.length)
  expect(catalogueDate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test("a name that differs from one of ours only in case, and is no host's, is unknown", () => {
  const cased = canonicalTools.map((name) => name.toUpperCase()).filter((name) => name !== "LS")
  expect(cased.filter((name) => lookUpTool(name).type !== "unknown")).toEqual([])
})

test("any text has an answer", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(lookUpTool(text)).toHaveProperty("type")
    }),
  )
  const began = processorTime()
  lookUpTool(`mcp__${"a__".repeat(200_000)}\n`)
  lookUpTool("a/".repeat(200_000))
  expect(processorTime() - began).toBeLessThan(15_000)
})
