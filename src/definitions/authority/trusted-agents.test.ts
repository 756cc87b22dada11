import { expect, test } from "vitest"
import { temporaryFolder } from "../../../test/file-kit.ts"
import { SubagentRegistry } from "../registry/registry.ts"
import { createTrustedSource } from "./trusted-agents.ts"

const agent = (name: string, keys = "") => `---\nname: ${name}\ndescription: d\n${keys}---\n\nDo it.\n`

/** The agents of a user and of an untrusted project that a run may call. */
function callable(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder({ "repo/.git/HEAD": "", ...files })
  const registry = new SubagentRegistry()
  registry.autoDiscover({ cwd: `${base}/repo`, home: `${base}/home`, userFolder: `${base}/config` })
  return createTrustedSource(registry, {
    root: `${base}/repo`,
    of: ({ file }) => (file.includes("/repo/") ? "unknown" : "trusted"),
  })
}

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    "a name that nobody has",
    { "home/.claude/agents/b.md": agent("b") },
    /^There is no agent named "a" that may run here\. .*Known: b\.$/,
  ],
  [
    "a broken one of the person's",
    { "home/.claude/agents/a.md": agent("a", "allowed_tools: Read\n") },
    /^Subagent 'a' is broken: .*allowed_tools/,
  ],
  [
    "a broken one of a project that nobody trusts",
    { "repo/.claude/agents/a.md": agent("a", "allowed_tools: Read\n") },
    /^There is no agent named "a" that may run here\. None are known\.$/,
  ],
  [
    "a broken one of the person's, and a project that nobody trusts defines it, too",
    {
      "home/.claude/agents/a.md": agent("a", "allowed_tools: Read\n"),
      "repo/.claude/agents/a.md": agent("a"),
    },
    /^There is no agent named "a" that may run here\. None are known\.$/,
  ],
  [
    "a broken one of the person's, whose name is another name of one that nobody trusts",
    {
      "home/.claude/agents/a.md": agent("a", "allowed_tools: Read\n"),
      "repo/.cadre/agents/b.md": agent("b", "aliases: [a]\n"),
    },
    /^Subagent 'a' is broken: .*allowed_tools/,
  ],
  [
    "one of the person's, and a file of a project that nobody trusts gives no agent and is called like it",
    { "home/.claude/agents/a.md": agent("a"), "repo/.claude/agents/a.md": "" },
    /^There is no agent named "a" that may run here\. None are known\.$/,
  ],
  [
    "a file of the person's that gives no agent",
    { "home/.claude/agents/a.md": "" },
    /^Subagent 'a' is broken: The file is empty/,
  ],
])("%s is told as what it is", (_, files, message) => {
  expect(() => callable(files).get("a")).toThrow(message)
})
