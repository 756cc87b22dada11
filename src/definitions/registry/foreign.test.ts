import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { put, temporaryFolder } from "../../../test/file-kit.ts"
import { material } from "../../../test/material.ts"
import { readDefinitionText } from "./file.ts"
import { SubagentRegistry } from "./registry.ts"

const read = (file: string, text = "x") => readDefinitionText({ path: file, text }, undefined, {})

const front = (lines: string) => `---\n${lines}\n---\n\nDo it.\n`
const json = (value: unknown) => JSON.stringify(value)

describe("a file of another tool is one finding that names the tool", () => {
  test.each([
    // By folder.
    [".codex/agents/reviewer.toml", 'name = "x"', "agent file of Codex TOML"],
    [".github/agents/x.md", front("name: x"), "agent file of GitHub Copilot"],
    [".github/chatmodes/x.chatmode.md", front("description: x"), "agent file of GitHub Copilot"],
    [".github/prompts/x.prompt.md", front("mode: agent"), "command or prompt of GitHub Copilot"],
    [".github/copilot-instructions.md", "Be kind.", "of GitHub Copilot"],
    [".opencode/agent/x.md", front("mode: subagent"), "agent file of opencode"],
    [".opencode/command/x.md", front("description: x"), "command or prompt of opencode"],
    ["opencode.jsonc", "{}", "agent file of opencode"],
    [".gemini/agents/x.md", front("name: x"), "agent file of Gemini CLI"],
    [".gemini/commands/x.toml", 'prompt = "x"', "command or prompt of Gemini CLI"],
    [".cursor/agents/x.md", front("name: x"), "agent file of Cursor"],
    [".cursor/rules/x.mdc", front("alwaysApply: true"), "of Cursor"],
    [".cursorrules", "Be kind.", "of Cursor"],
    [".windsurf/rules/x.md", front("trigger: manual"), "of Windsurf"],
    [".windsurfrules", "Be kind.", "of Windsurf"],
    [".goose/recipes/x.yaml", "title: x", "agent file of Goose"],
    [".roomodes", "customModes: []", "agent file of Roo Code"],
    ["settings/custom_modes.yaml", "customModes: []", "agent file of Roo Code"],
    [".roo/rules-code/x.md", "Be kind.", "of Roo Code"],
    [".kilocode/agents/x.md", front("name: x"), "agent file of Kilo Code"],
    [".cline/agents/x.yaml", front("name: x"), "agent file of Cline"],
    [".vibe/agents/x.toml", "", "agent file of Mistral Vibe"],
    [".pi/agents/x.md", front("name: x"), "agent file of pi"],
    [".qwen/agents/x.md", front("name: x"), "agent file of Qwen Code"],
    [".factory/droids/x.md", front("name: x"), "agent file of Factory Droid"],
    [".kiro/agents/x.json", "{}", "agent file of Kiro"],
    [".kiro/steering/x.md", "Be kind.", "of Kiro"],
    [".amazonq/cli-agents/x.json", "{}", "agent file of Amazon Q"],
    [".claude/commands/x.md", "Do it.", "command or prompt of Claude Code"],
    ["skills/pdf/SKILL.md", front("name: pdf\ndescription: x"), "part of a skill"],
    ["skills/pdf/forms.md", "# Forms", "part of a skill"],
    ["AGENTS.md", "Be kind.", "of several tools"],
    ["CLAUDE.md", "Be kind.", "of Claude Code"],
    ["docs/guide.md", "# Guide", "page of a manual"],
    ["plugin/commands/x.md", "# Do it", "command or prompt of Claude Code"],
    ["package.json", json({ name: "x", version: "1" }), "file of a build tool"],
    [".claude-plugin/plugin.json", json({ name: "x" }), "file of Claude Code"],
    [".windsurf/agents/x.md", front("name: x"), "agent file of Windsurf"],
    [".roo/agents/x.md", front("name: x"), "agent file of Roo Code"],
    [".roo/x.yaml", "customModes:\n  - slug: x", "agent file of Roo Code"],
    // By content, in a folder of agents that are read.
    [".cadre/agents/r.yaml", "customModes:\n  - slug: x\n    name: X", "agent file of Roo Code"],
    [".cadre/agents/r.json", json({ customModes: [{ slug: "x" }] }), "agent file of Roo Code"],
    [".cadre/agents/g.yaml", "version: 1.0.0\ntitle: X\ndescription: Y\nprompt: Z", "agent file of Goose"],
    [".claude/agents/r.md", front("slug: r\nroleDefinition: You\ngroups: [read]"), "agent file of Roo Code"],
    // By content.
    ["agents/x.toml", 'developer_instructions = """\nx"""', "agent file of Codex TOML"],
    ["agents/x.toml", 'system_prompt_id = "x"\nagent_type = "subagent"', "agent file of Mistral Vibe"],
    ["agents/x.toml", 'description = "x"\nprompt = "x"', "command or prompt of Gemini CLI"],
    [
      ".claude/agents/o.md",
      front("description: x\nmode: subagent\ntools:\n  write: false"),
      "agent file of opencode",
    ],
    [".claude/agents/c.md", front('description: x\nglobs: "*.ts"\nalwaysApply: true'), "of Cursor"],
    [
      ".claude/agents/c.agent.md",
      front("description: x\ntools: ['codebase', 'search']"),
      "agent file of GitHub Copilot",
    ],
    ["agents/x.yaml", "slug: x\nname: X\nroleDefinition: y\ngroups: [read]", "agent file of Roo Code"],
    ["agents/x.yaml", "customModes:\n  - slug: x", "agent file of Roo Code"],
    ["agents/x.yaml", "---\nname: x\ndescription: y\n---\nDo it well.\n", "agent file of Cline"],
    ["config/agents.yaml", "a:\n  role: x\n  goal: y\n  backstory: z", "agent file of CrewAI"],
    ["config/tasks.yaml", "a:\n  description: x\n  expected_output: y", "agent file of CrewAI"],
    ["x.yaml", "agents:\n  root:\n    model: m\n    instruction: x", "agent file of Docker cagent"],
    ["root_agent.yaml", "agent_class: LlmAgent\nname: x\ninstruction: y", "agent file of Google ADK"],
    ["x.yaml", "kind: Prompt\nname: x\ninstructions: y", "agent file of Microsoft Agent Framework"],
    ["x.yaml", "type: chat_completion_agent\nname: x\ninstructions: y", "agent file of Semantic Kernel"],
    ["team.json", json({ provider: "autogen_agentchat.x", component_type: "team" }), "agent file of AutoGen"],
    ["x.yaml", "version: 1\ntitle: x\ndescription: y\nprompt: z", "agent file of Goose"],
    ["x.json", json({ name: "x", prompt: "y", allowedTools: ["*"] }), "agent file of Kiro or Amazon Q"],
    ["x.json", json({ $schema: "https://opencode.ai/config.json" }), "agent file of opencode"],
    ["agents.json", json({ a: { description: "x", prompt: "y" } }), "agent file of Claude Code (the option"],
    ["x.json", json({ mcpServers: {} }), "file of an MCP client"],
    ["x.yaml", "name: x\ntriggers:\n  on_stop: []", "workflow or pipeline of Gobby"],
    ["x.md", front("description: x\nmode: subagent\ntools:\n  bash: false"), "agent file of opencode"],
    ["x.md", front("description: x\nalwaysApply: true\nglobs: '*.ts'"), "of Cursor"],
    ["x.md", front("applyTo: '**'"), "of GitHub Copilot"],
    ["x.md", front("trigger: always_on"), "of Windsurf"],
    ["x.md", front("inclusion: always"), "of Kiro"],
    [
      "x.md",
      front("allowed-tools: Read\nargument-hint: [x] [y]\ndescription: z"),
      "command or prompt of Claude",
    ],
    ["plugin/commands/x.md", front("description: x"), "command or prompt of Claude Code"],
    ["x.md", front("agentType: x\nsystemPrompt: y\nwhenToUse: z\nname: w"), "agent file of iFlow"],
    ["x.md", front("title: X\npermalink: /x\ndescription: y"), "page of a site"],
  ])("%s %j", (file, text, said) => {
    expect(read(file, text)).toMatchObject({
      agent: undefined,
      format: undefined,
      problems: [{ code: "format-later", severity: "info", message: expect.stringContaining(said) }],
    })
  })
})

describe("a file of ours stays ours", () => {
  test.each([
    [".claude/agents/x.agent.md", front("name: x\ndescription: y\nmode: subagent"), "claude"],
    [".claude/agents/commands/x.md", front("description: y\nallowed-tools: Read"), "claude"],
    ["agents/x.md", front("name: x\ndescription: y\nglobs: '*'\nargument-hint: z"), "claude"],
    ["commands/x.md", front("name: x\ndescription: y"), "claude"],
    ["skills/agents/x.md", front("name: x\ndescription: y"), "claude"],
    ["x.md", front("description: y\ntools: Read"), "claude"],
    ["x.md", "No front matter.", "claude"],
    [".cadre/agents/settings.json", json({ name: "x", mcpServers: {} }), "cadre"],
    ["settings.json", json({ name: "x", description: "y", instructions: "z" }), "cadre"],
    ["x.yaml", "name: x\ndescription: y\ninstructions: z\nmax_turns: 3", "cadre"],
    ["x.yaml", "name: x\ndescription: y", "cadre"],
    ["x.yaml", "name: x\ndescription: y\ninstruction: z", "cadre"],
    ["x.yaml", "name: x\ndescription: y\npipeline: {}", "cadre"],
    ["x.yaml", "name: [", "cadre"],
    ["x.yaml", "name: x\nworkflows: {}\nprovider: claude\nmode: terminal", "gobby"],
    [".codex/agents/x.md", front("description: y\nmode: subagent"), "codex-md"],
    ["agents/a/a_subagent.yaml", "customModes: []", "remora"],
  ])("%s %j is %s", (file, text, id) => {
    expect(read(file, text).format?.id).toBe(id)
  })
})

test.each([
  ["x.yaml", "services:\n  web: {}\nnetworks: {}"],
  ["x.json", "[1, 2]"],
  ["x.yaml", "model: m\ntemperature: 1"],
])("data that are no agent's are one warning: %s %j", (file, text) => {
  expect(read(file, text)).toMatchObject({
    agent: undefined,
    format: undefined,
    problems: [
      {
        code: "format-later",
        severity: "warning",
        message: expect.stringMatching(/does not look like an agent.*--as FORMAT/),
      },
    ],
  })
})

describe("folders", () => {
  const told = (folder: string) => {
    const registry = new SubagentRegistry()
    registry.loadFromPath(folder)
    return registry.diagnostics().map(({ code, file }) => [code, path.relative(folder, file!)])
  }

  test("files that only other tools have are found, also in hidden folders and with hidden names", () => {
    const folder = temporaryFolder({
      ".roomodes": "customModes: []",
      ".github/agents/x.agent.md": front("name: x"),
      ".github/workflows/ci.yml": "on: push",
      ".vscode/settings.json": "{}",
      "Cargo.toml": "[package]",
      "modes/reviewer.toml": 'developer_instructions = "x"',
      "rules/x.mdc": front("alwaysApply: true"),
    })
    expect(told(folder)).toEqual([
      ["format-later", ".github/agents/x.agent.md"],
      ["format-later", ".roomodes"],
      ["format-later", "modes/reviewer.toml"],
      ["format-later", "rules/x.mdc"],
    ])
  })

  test("a folder below a hidden one is looked at like any other", () => {
    const folder = temporaryFolder({ ".hidden/agents/x.yaml": "name: x\nfoo: 1\ninstructions: y\n" })
    expect(told(path.join(folder, ".hidden/agents")).map(([, file]) => file)).toContain("x.yaml")
  })

  test("in a folder of one tool the file of another is told as such", () => {
    const folder = temporaryFolder()
    put(folder, {
      ".claude/agents/x.toml": 'developer_instructions = "x"',
      ".claude/agents/y.toml": "[package]",
      ".codex/agents/z.toml": 'name = "z"',
    })
    expect(told(folder)).toEqual([
      ["format-later", ".claude/agents/x.toml"],
      ["file-ignored", ".claude/agents/y.toml"],
      ["format-later", ".codex/agents/z.toml"],
    ])
  })
})

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")
describe.skipIf(!existsSync(corpus))("real files", () => {
  test.each(["acai", "claude", "codex-md", "gobby", "remora"])("each of %s is recognised as one", (id) => {
    const files = readdirSync(path.join(corpus, id), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(?:md|ya?ml|json)$/.test(file),
    )
    const formats = files.map((file) => {
      // The path of the file in its repository.
      const place = file.split(path.sep).slice(1).join("/").replaceAll("__", "/")
      return read(place, readFileSync(path.join(corpus, id, file), "utf8")).format?.id
    })
    expect(new Set(formats)).toEqual(new Set([id]))
  })
})

test("a known folder of agents tells the same, and a slip in one of ours stays an error", () => {
  const folder = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.cadre/agents/r.yaml": "customModes:\n  - slug: x\n",
    "repo/.cadre/agents/g.yaml": "title: X\ndescription: Y\ninstructions: Z\nversion: 1.0.0\n",
    "repo/.claude/agents/m.md": front("slug: m\nroleDefinition: You\ngroups: [read]"),
    "repo/.cadre/agents/ours.json": json({ description: "d", prompt: "p", allowedTools: ["Read"] }),
  })
  const registry = new SubagentRegistry()
  registry.autoDiscover({ cwd: `${folder}/repo`, home: `${folder}/home`, userFolder: `${folder}/config` })
  const found = registry.diagnostics().map(({ file, code }) => `${path.basename(file!)} ${code}`)
  expect(found.sort()).toEqual([
    "g.yaml format-later",
    "m.md format-later",
    "ours.json key-restricting",
    "r.yaml format-later",
  ])
})
