import path from "node:path"
import { isMap, type Json } from "../../ground/message.ts"
import { splitFrontmatter } from "../formats/document/frontmatter.ts"
import { readYaml } from "../formats/document/yaml.ts"
import type { Format } from "../formats/format.ts"

/** The purpose of a file of another tool. */
export type ForeignKind = "agent" | "command" | "rules" | "skill" | "workflow" | "page" | "settings"

/** A file that another tool reads, and cadre does not. */
export interface Foreign {
  readonly kind: ForeignKind
  readonly tool: string
}

/** Says which tool a file belongs to, and how to use its content in cadre. */
export function describeForeign({ kind, tool }: Foreign): string {
  switch (kind) {
    case "agent":
      return `This is an agent file of ${tool}. cadre cannot read that format yet, so the file was not checked. To use the agent in cadre too, run \`cadre new NAME\` and copy its instructions into the new file.`
    case "command":
      return `This is a command or prompt of ${tool}, not an agent, so it is skipped. To make an agent of it, run \`cadre new NAME\` and copy its text into the new file.`
    case "rules":
      return `These are project-wide instructions of ${tool}, not an agent, so they are skipped. An agent with \`context: {rules: true}\` gets AGENTS.md and CLAUDE.md.`
    case "skill":
      return `This is part of a skill (${tool}), not an agent, so it is skipped. To load a skill, put it into a skills folder such as .claude/skills and name it in the agent's \`skills\`.`
    case "workflow":
      return `This is a workflow or pipeline of ${tool}, not an agent, so it is skipped here. It takes effect in .gobby/workflows of a project.`
    case "page":
      return `This is a page of ${tool}, not an agent, so it is skipped.`
    case "settings":
      return `This is a file of ${tool}, not an agent, so it is skipped.`
  }
}

/** Recognises a file of another tool by its content, if its place says nothing. `file` begins with a slash. */
export function recogniseByContent(file: string, text: string): Foreign | undefined {
  switch (path.extname(file).toLowerCase()) {
    case ".md":
    case ".markdown":
      return foreignMarkdown(file, text)
    case ".toml":
      return foreignToml(file, text)
    case ".yaml":
    case ".yml":
      return isFrontmatterInYaml(text) ? agentOf("Cline") : recogniseData(parseData(text))
    case ".json":
      return recogniseData(parseData(text))
    default:
      return undefined
  }
}

/**
 * Recognises a file of another tool in a folder of a format, by keys that only that tool has. A file that also has
 * keys of the format's own agents is read in the format.
 */
export function recogniseInFolder(
  { id, locations }: Pick<Format, "id" | "locations">,
  file: string,
  text: string,
): Foreign | undefined {
  // A format whose file names follow a pattern needs no such check.
  if (locations.only !== undefined) return undefined
  const isData = /\.(?:ya?ml|json)$/i.test(file)
  const split = isData ? undefined : splitFrontmatter(text)
  const keys = isData ? text : split?.type === "split" ? split.yaml : ""
  if (!foreignMarks.test(keys) && !isCopilots(id, file)) return undefined
  const value = parseData(keys)
  if (!isMap(value)) return undefined
  if (Array.isArray(value.customModes) || has(value, "roleDefinition") || has(value, "slug", "groups"))
    return agentOf("Roo Code")
  // Claude Code's own files have a name. Other formats take it from the file.
  if (!isData && id === "claude" && !has(value, "name")) {
    const other = foreignMarkdown(file, text)
    if (other && markdownTools.has(other.tool)) return other
    return isCopilots(id, file) ? agentOf("GitHub Copilot") : undefined
  }
  // If a format shares keys with the tool, a file with a name belongs to the format.
  const other = isData && !has(value, "name") ? recogniseData(value) : undefined
  return other && unlikeOurs.has(other.tool) && id !== "gobby" ? other : undefined
}

/** Tools whose files cannot be confused with a misspelt file of cadre's formats. */
const unlikeOurs: ReadonlySet<string> = new Set(["AutoGen", "CrewAI", "Docker cagent", "Goose", "Letta"])

const markdownTools: ReadonlySet<string> = new Set(["Cursor", "GitHub Copilot", "opencode"])

const isCopilots = (id: string, file: string): boolean => id === "claude" && /\.agent\.md$/i.test(file)

/** One test for all files, because most have none of these keys. */
const foreignMarks =
  /\b(?:customModes|roleDefinition|groups|title|recipe|backstory|goal|expected_output|toolsets|instruction|sub_agents|component_type|component_version|blocks|mode|globs|alwaysApply|applyTo|handoffs|user-invocable|infer)["']?[ \t]*:/

const agentOf = (tool: string): Foreign => ({ kind: "agent", tool })

/** Agents of Claude Code have a name. A file without a name that has one of these keys is something else. */
function foreignMarkdown(file: string, text: string): Foreign | undefined {
  const split = splitFrontmatter(text)
  if (split.type !== "split") return split.type === "none" ? pageWithout(file) : undefined
  if (namedKey.test(split.yaml) && !markOfNamed.test(split.yaml)) return undefined
  const values = new Map<string, string>()
  for (const [, key, value] of split.yaml.matchAll(/^["']?([A-Za-z][\w-]*)["']?[ \t]*:[ \t]*(.*)$/gm))
    values.set(key!, value!)
  const wordOf = (key: string) =>
    values
      .get(key)
      ?.trim()
      .replaceAll(/^["']|["']$/g, "") ?? ""
  const has = (...keys: readonly string[]) => keys.some((key) => values.has(key))
  if (has("agentType") && has("systemPrompt", "whenToUse")) return agentOf("iFlow")
  if (/^(?:primary|subagent|all)$/.test(wordOf("mode"))) return agentOf("opencode")
  if (has("event") && has("pattern", "conditions", "action")) return { kind: "rules", tool: "hookify" }
  if (has("name")) return undefined
  if (has("alwaysApply", "globs")) return { kind: "rules", tool: "Cursor" }
  if (has("applyTo")) return { kind: "rules", tool: "GitHub Copilot" }
  if (has("inclusion")) return { kind: "rules", tool: "Kiro" }
  if (/^(?:always_on|glob|manual|model_decision)$/.test(wordOf("trigger")))
    return { kind: "rules", tool: "Windsurf" }
  if (/^(?:agent|ask|edit)$/.test(wordOf("mode"))) return { kind: "command", tool: "GitHub Copilot" }
  if (has("handoffs", "user-invocable", "infer")) return agentOf("GitHub Copilot")
  if (has("argument-hint", "allowed-tools") || /\/commands\//.test(file))
    return { kind: "command", tool: "Claude Code" }
  if (isInSkill(file)) return partOfSkill
  const isPage =
    has("layout", "permalink", "slug", "sidebar_position", "nav_order") ||
    (has("title", "date") && !has("description"))
  return isPage && !has("tools", "model") ? { kind: "page", tool: "a site" } : undefined
}

/** Most files have a name and none of these keys, so this test settles them immediately. */
const namedKey = /^["']?name["']?[ \t]*:/m
const markOfNamed = /^["']?(?:agentType|mode|event)["']?[ \t]*:/m

/** A page without front matter is normal in skills and manuals. Elsewhere its author may have forgotten it. */
function pageWithout(file: string): Foreign | undefined {
  if (isInSkill(file)) return partOfSkill
  if (/\/commands\//.test(file)) return { kind: "command", tool: "Claude Code" }
  return /\/(?:docs?|references?|resources|templates|testdata)\//i.test(file)
    ? { kind: "page", tool: "a manual" }
    : undefined
}

const isInSkill = (file: string): boolean => /\/skills\/[^/]+\/(?!(?:.*\/)?agents\/)/i.test(file)

const partOfSkill: Foreign = { kind: "skill", tool: "Agent Skills" }

function foreignToml(file: string, text: string): Foreign | undefined {
  const has = (keys: string) => new RegExp(`^(?:${keys})[ \\t]*=`, "m").test(text)
  if (has("developer_instructions|nickname_candidates|model_reasoning_effort|sandbox_mode"))
    return agentOf("Codex TOML")
  if (has("agent_type|system_prompt_id|enabled_tools|active_model")) return agentOf("Mistral Vibe")
  if (has("prompt") && (has("description") || /\/commands\//.test(file)))
    return { kind: "command", tool: "Gemini CLI" }
  return undefined
}

/** Front matter and a body in a file that ends like YAML. */
function isFrontmatterInYaml(text: string): boolean {
  const split = splitFrontmatter(text)
  return split.type === "split" && /^name[ \t]*:/m.test(split.yaml) && isProse(split.body)
}

const isProse = (text: string): boolean => {
  const value = parseData(text)
  return text.trim() !== "" && !isMap(value) && !Array.isArray(value)
}

/** The data of a YAML or JSON text; undefined if it is invalid. */
export function parseData(text: string): Json | undefined {
  const yaml = readYaml(text.replace(/^\ufeff/, ""))
  return yaml.type === "value" ? yaml.value : undefined
}

type Data = { readonly [key: string]: Json }

/** Recognises data of another tool by its keys, the surest kinds first. */
export function recogniseData(value: Json | undefined): Foreign | undefined {
  if (!isMap(value)) return undefined
  return dataKinds.find(({ is }) => is(value))?.foreign
}

const has = (data: Data, ...keys: readonly string[]): boolean =>
  keys.every((key) => data[key] !== undefined && data[key] !== null)

const every = (data: Data, is: (inner: Data) => boolean): boolean => {
  const values = Object.values(data)
  return values.length > 0 && values.every((inner) => isMap(inner) && is(inner))
}

const some = (value: Json | undefined, is: (inner: Data) => boolean): boolean =>
  (Array.isArray(value) ? value : isMap(value) ? Object.values(value) : []).some(
    (inner: Json) => isMap(inner) && is(inner),
  )

const dataKinds: readonly { readonly foreign: Foreign; is(data: Data): boolean }[] = [
  {
    foreign: agentOf("Roo Code"),
    is: (data) => Array.isArray(data.customModes) || has(data, "roleDefinition"),
  },
  {
    foreign: { kind: "workflow", tool: "Gobby" },
    is: (data) =>
      !has(data, "instructions") &&
      has(data, "name") &&
      (["triggers", "session_variables", "exit_condition", "rule_definitions"].some(
        (key) => isMap(data[key]) || typeof data[key] === "string",
      ) ||
        (data.type === "pipeline" && has(data, "steps"))),
  },
  {
    foreign: agentOf("CrewAI"),
    is: (data) =>
      every(data, (inner) => has(inner, "role", "goal") || has(inner, "role", "backstory")) ||
      every(data, (inner) => has(inner, "description", "expected_output")),
  },
  {
    foreign: agentOf("Docker cagent"),
    is: ({ agents }) =>
      isMap(agents) &&
      some(agents, (inner) => "instruction" in inner || "toolsets" in inner || "sub_agents" in inner),
  },
  {
    foreign: agentOf("Google ADK"),
    is: (data) =>
      has(data, "agent_class") ||
      (has(data, "instruction") && ["sub_agents", "output_key", "model_code"].some((key) => key in data)),
  },
  {
    foreign: agentOf("Microsoft Agent Framework"),
    is: ({ kind }) =>
      /^(?:Prompt|Workflow|GptComponentMetadata|ToolDialog|AdaptiveDialog|hosted)$/i.test(String(kind)),
  },
  {
    foreign: agentOf("Semantic Kernel"),
    is: ({ type }) =>
      /^(?:chat_completion|foundry|azure_ai|azure_assistant|openai_assistant|openai_responses|copilot_studio)\w*$/.test(
        String(type),
      ),
  },
  {
    foreign: agentOf("AutoGen"),
    is: (data) =>
      has(data, "provider", "component_type") || has(data, "provider", "config", "component_version"),
  },
  { foreign: agentOf("Letta"), is: (data) => Array.isArray(data.agents) && has(data, "blocks") },
  {
    foreign: agentOf("Goose"),
    is: (data) =>
      isMap(data.recipe) ||
      (has(data, "title", "description") &&
        (has(data, "instructions") || has(data, "prompt")) &&
        [
          "extensions",
          "activities",
          "parameters",
          "sub_recipes",
          "settings",
          "response",
          "author",
          "version",
        ].some((key) => key in data)),
  },
  {
    foreign: agentOf("Kiro or Amazon Q"),
    is: (data) =>
      ["allowedTools", "toolsSettings", "toolAliases", "includeMcpJson", "useLegacyMcpJson"].some(
        (key) => key in data,
      ) &&
      (has(data, "prompt") || has(data, "tools") || has(data, "resources")),
  },
  {
    foreign: agentOf("opencode"),
    is: ({ $schema, agent }) =>
      /opencode\.ai/.test(String($schema)) ||
      (isMap(agent) && some(agent, (inner) => "prompt" in inner || "mode" in inner)),
  },
  {
    foreign: agentOf("Claude Code (the option --agents)"),
    is: (data) => every(data, (inner) => has(inner, "description", "prompt")),
  },
  {
    foreign: { kind: "settings", tool: "an MCP client" },
    is: (data) => has(data, "mcpServers") && !has(data, "instructions"),
  },
  {
    foreign: { kind: "settings", tool: "GitHub Actions" },
    is: (data) => has(data, "jobs") && ("on" in data || "true" in data),
  },
]
