import { expect, test } from "vitest"
import { isProtected } from "./protected.ts"

const root = "/w/app"
const protects = (name: string, more?: readonly string[]) =>
  isProtected(root, `${root}/${name}`, "write", more) !== undefined

test.each([
  ".git",
  ".git/config",
  "sub/.git/hooks/pre-commit",
  ".husky/pre-commit",
  ".cadre/config.yaml",
  ".claude/agents/a.md",
  ".claude/settings.json",
  ".codex/agents/a.md",
  ".acai/subagents/a.md",
  ".gobby/agents/a.yaml",
  "agents/coder/coder_subagent.yaml",
  ".vscode/tasks.json",
  ".idea/workspace.xml",
  ".mcp.json",
  ".env",
  ".env.local",
  ".envrc",
  "packages/a/.env.production",
  ".bashrc",
  ".zshenv",
  ".profile",
  ".npmrc",
  ".gitconfig",
  ".gitmodules",
  ".ssh/authorized_keys",
  ".config/fish/config.fish",
  "u/.config/powershell/profile.ps1",
])("%s is protected, whether it exists or not", (name) => {
  expect(isProtected(root, `${root}/${name}`, "write")).toMatch(/protected/)
  expect(isProtected(root, `${root}/${name}`, "read")).toBeUndefined()
})

test.each([
  ".GIT/config",
  ".Git/HEAD",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "git~1/config",
  ".g\u200cit/config",
  ".git\u2060/config",
  ".\uff47\uff49\uff54/config",
  ".CLAUDE/agents/a.md",
  ".\u017f\u017fh/id",
  ".Env",
  ".ENV.local",
  ".BASHRC",
  "AGENTS/x_SUBAGENT.YAML",
])("170: %j is another spelling of a protected name", (name) => {
  expect(protects(name)).toBe(true)
})

test.each([
  "git/config",
  ".gitignore",
  ".github/workflows/ci.yml",
  ".config/eslint.json",
  "fish/config.fish",
  ".env.example",
  ".environment",
  "env",
  "src/agents/list.ts",
  "agents/readme.md",
  "a.git",
  "README.md",
  "...",
])("%s is not", (name) => {
  expect(protects(name)).toBe(false)
})

test("names above the workspace do not count", () => {
  expect(isProtected("/home/u/.cadre/trees/1", "/home/u/.cadre/trees/1/a.ts", "write")).toBeUndefined()
})

test("further paths, in any spelling", () => {
  const more = ["/w/app/state", "/w/app/caf\u00e9"]
  expect(
    ["state", "state/log", "STATE/log", "state2", "cafe\u0301/x", "other"].filter((name) =>
      protects(name, more),
    ),
  ).toEqual(["state", "state/log", "STATE/log", "cafe\u0301/x"])
})
