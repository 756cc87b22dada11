import type { Foreign, ForeignKind } from "./foreign.ts"

/** The folders where other tools keep their files, as of November 2026: one line `folder: tool` each. */
const folders: Readonly<Record<ForeignKind, string>> = {
  agent: `
    .agents/agents: Goose, pi and others
    .amazonq/cli-agents: Amazon Q
    .augment/agents: Augment
    .aws/amazonq/cli-agents: Amazon Q
    .cline/agents: Cline
    .codebuddy/agents: CodeBuddy
    .codex/agents: Codex TOML
    .continue/agents: Continue
    .copilot/agents: GitHub Copilot
    .cursor/agents: Cursor
    .deepagents/agents: deepagents
    .devin/agents: Devin
    .factory/droids: Factory Droid
    .gemini/agents: Gemini CLI
    .gemini/config/agents: Antigravity
    .github/agents: GitHub Copilot
    .github/chatmodes: GitHub Copilot
    .goose: Goose
    .grok/agents: Grok Build
    .iflow/agents: iFlow
    .junie/agents: Junie
    .kilo/agent: Kilo Code
    .kilo/agents: Kilo Code
    .kilocode/agents: Kilo Code
    .kilocode/modes: Kilo Code
    .kimi/agents: Kimi Code
    .kiro/agents: Kiro
    .letta/agents: Letta Code
    .openheim/agents: openheim
    .opencode: opencode
    .config/opencode: opencode
    .pi/agent/agents: pi
    .pi/agents: pi
    .qwen/agents: Qwen Code
    .rovodev/subagents: Rovo Dev
    .ruler/agents: ruler
    .rulesync/subagents: rulesync
    .takt/facets/personas: TAKT
    .roo/agents: Roo Code
    .roo/modes: Roo Code
    .vibe/agents: Mistral Vibe
    .vtcode/agents: VT Code
    .windsurf/agents: Windsurf`,
  command: `
    .claude/commands: Claude Code
    .codex/prompts: Codex
    .cursor/commands: Cursor
    .gemini/commands: Gemini CLI
    .github/prompts: GitHub Copilot
    .opencode/command: opencode
    .opencode/commands: opencode
    .qwen/commands: Qwen Code
    .roo/commands: Roo Code
    .windsurf/workflows: Windsurf`,
  rules: `
    .amazonq/rules: Amazon Q
    .augment/rules: Augment
    .claude/output-styles: Claude Code
    .claude/rules: Claude Code
    .clinerules: Cline
    .continue/rules: Continue
    .cursor/rules: Cursor
    .github/instructions: GitHub Copilot
    .junie: Junie
    .kilocode/rules: Kilo Code
    .kiro/steering: Kiro
    .roo: Roo Code
    .rulesync/rules: rulesync
    .windsurf/rules: Windsurf`,
  skill: `
    .agents/skills: Agent Skills
    .reasonix/skills: Reasonix`,
  workflow: "",
  page: "",
  settings: "",
}

/** File names that belong to a tool in any folder. */
const names: readonly (readonly [RegExp, ForeignKind, string])[] = [
  [/\/[^/]+\.(?:agent|chatmode)\.md$/, "agent", "GitHub Copilot"],
  [/\/(?:\.roomodes|custom_modes\.(?:ya?ml|json))$/, "agent", "Roo Code"],
  [/\/\.kilocodemodes$/, "agent", "Kilo Code"],
  [/\/opencode\.jsonc?$/, "agent", "opencode"],
  [/\/[^/]+\.recipe\.(?:ya?ml|json)$|\/recipes?\/.*\.(?:ya?ml|json)$/, "agent", "Goose"],
  [/\/[^/]+\.af$/, "agent", "Letta"],
  [/\/[^/]+\.prompt\.md$/, "command", "GitHub Copilot"],
  [/\/(?:[^/]+\.instructions|copilot-instructions)\.md$/, "rules", "GitHub Copilot"],
  [/\/(?:\.cursorrules|[^/]+\.mdc)$/, "rules", "Cursor"],
  [/\/\.windsurfrules$/, "rules", "Windsurf"],
  [/\/\.clinerules$/, "rules", "Cline"],
  [/\/CLAUDE(?:\.local)?\.md$/, "rules", "Claude Code"],
  [/\/GEMINI\.md$/, "rules", "Gemini CLI"],
  [/\/(?:AGENTS|AGENT)\.md$/, "rules", "several tools"],
  [
    /\/SKILL\.md$|\/skills\/.+\/(?:references?|assets|scripts|examples|templates)\/|\/skills\/.+\/agents\/openai\.yaml$/i,
    "skill",
    "Agent Skills",
  ],
  [
    /\/(?:plugin|marketplace|hooks|settings(?:\.local)?|\.?mcp)\.json$/,
    "settings",
    "Claude Code or another tool",
  ],
  [
    /\/(?:package(?:-lock)?|composer|deno|lerna|manifest|nx|renovate|turbo|vercel|[jt]sconfig(?:\.[\w-]+)?|[^/]+\.schema)\.json$|\/(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$|\/(?:pnpm-(?:lock|workspace)|mkdocs|Taskfile|openapi|_config)\.ya?ml$/,
    "settings",
    "a build tool or server",
  ],
]

/** One test for all folders, because most files are in none of them. */
const anyFolder = /\/\.[a-z]/

/** One test for all names, in any case. */
const anyName = new RegExp(names.map(([pattern]) => pattern.source).join("|"), "i")

/** Recognises a file of another tool by its folder or name. `file` begins with a slash. */
export function recogniseByPlace(file: string): Foreign | undefined {
  if (anyFolder.test(file)) {
    let best: Place | undefined
    for (const place of places())
      if (file.includes(place.folder) && place.folder.length > (best?.folder.length ?? 0)) best = place
    if (best) return { kind: best.kind, tool: best.tool }
  }
  if (!anyName.test(file)) return undefined
  for (const [pattern, kind, tool] of names) if (pattern.test(file)) return { kind, tool }
  return undefined
}

/** True if a hidden folder is searched for files of other tools. */
export const isToolFolder = (name: string): boolean => toolFolders().has(name)

interface Place extends Foreign {
  readonly folder: string
}

let cached: { readonly places: readonly Place[]; readonly folders: ReadonlySet<string> } | undefined

const places = (): readonly Place[] => read().places

const toolFolders = (): ReadonlySet<string> => read().folders

/** Parses the lines above at first use. */
function read(): NonNullable<typeof cached> {
  cached ??= readPlaces()
  return cached
}

function readPlaces(): NonNullable<typeof cached> {
  const places = Object.entries(folders).flatMap(([kind, lines]) =>
    lines
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line): Place => {
        const [folder, tool] = line.trim().split(": ") as [string, string]
        return { folder: `/${folder}/`, kind: kind as ForeignKind, tool }
      }),
  )
  return { places, folders: new Set(places.map(({ folder }) => folder.split("/")[1]!)) }
}
