import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../../../test/file-kit.ts"
import { SubagentRegistry } from "../registry/registry.ts"
import {
  createTrustedSource,
  isTrusted,
  isTrustedText,
  pinSkill,
  type TrustPolicy,
} from "./trusted-agents.ts"

/** Content "seen" is trusted where it takes effect, and content "read" where it is only read. */
const policy: TrustPolicy = {
  root: "/w",
  of: ({ hash, use }) => {
    if (hash === "changed") return "changed"
    return hash === (use === "read" ? "read" : "seen") ? "trusted" : "unknown"
  },
}

test.each<[TrustPolicy, string | undefined, string | undefined, boolean]>([
  ["all", undefined, undefined, true],
  ["all", "/w/a", "other", true],
  [policy, "/w/a", "seen", true],
  [policy, "/w/a", "read", false],
  [policy, "/w/a", "changed", false],
  [policy, "/w/a", "other", false],
  [policy, undefined, "seen", false],
  [policy, "/w/a", undefined, false],
])("under %j the file %s with the content %s may take effect: %s", (trusting, file, hash, expected) => {
  expect(isTrusted(trusting, file, hash)).toBe(expected)
})

test.each<[TrustPolicy, string, boolean]>([
  ["all", "other", true],
  [policy, "read", true],
  [policy, "seen", false],
  [policy, "changed", false],
])("under %j a file with the content %s may be read: %s", (trusting, hash, expected) => {
  expect(isTrustedText(trusting, "/w/a", hash)).toBe(expected)
})

describe("the errors of a broken definition", () => {
  const broken = (scope: string, hash?: string) => ({
    scope,
    ...(hash && { agent: { name: "a", origin: { file: "/w/a", hash } } }),
  })
  const asked = (one: object) => {
    const registry = {
      find: () => undefined,
      broken: () => one,
      all: () => [],
      entriesOf: () => [],
      candidates: () => [],
      get: () => {
        throw new Error("its own errors")
      },
    }
    try {
      createTrustedSource(registry as never, policy).get("a")
      return "given"
    } catch (error) {
      return (error as Error).message === "its own errors" ? "told" : (error as { code?: string }).code
    }
  }
  test.each<[string, object, string]>([
    ["of the user", broken("user"), "told"],
    ["of the user, with an agent", broken("user", "other"), "told"],
    ["of the project, with a trusted agent", broken("project", "seen"), "told"],
    ["of the project, with an agent that is not", broken("project", "other"), "AGENT_UNKNOWN"],
    ["of the project, without an agent", broken("project"), "AGENT_UNKNOWN"],
    ["of a package, without an agent", broken("package"), "AGENT_UNKNOWN"],
  ])("%s", (_, one, expected) => expect(asked(one)).toBe(expected))
})

test("a skill of the project is bound to its trusted content, and no other skill", () => {
  const hashes = new Map([["/w/s", "seen"]])
  const skill = (scope: string, file = "/w/s") => ({ scope, file })
  const pinned = pinSkill(policy, skill("project"), hashes)
  expect(pinned).toEqual({
    ...skill("project"),
    trusted: "seen",
    beside: { root: "/w", isTrusted: expect.any(Function) },
  })
  expect([pinned.beside!.isTrusted("/w/a", "read"), pinned.beside!.isTrusted("/w/a", "seen")]).toEqual([
    true,
    false,
  ])
  expect(pinSkill("all", skill("project"), hashes)).toEqual(skill("project"))
  expect(pinSkill(policy, skill("user"), hashes)).toEqual(skill("user"))
  expect(pinSkill(policy, skill("project", "/w/other"), hashes)).toEqual(skill("project", "/w/other"))
})

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
