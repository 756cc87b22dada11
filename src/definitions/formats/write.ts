import type { Agent } from "../../agent/agent.ts"
import { meansEveryTool } from "../../agent/format-traits.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { writeYaml } from "./document/yaml.ts"
import type { Field, Writing } from "./fields/field.ts"
import { isSame } from "./fields/is-same.ts"
import { detectSyntax, type Format } from "./format.ts"
import { readAgent } from "./read-agent.ts"
import type { ReadOptions } from "./read-options.ts"
import { writeScriptEntries } from "./script-entries.ts"

/** The file of an agent, and the parts of the agent that the format cannot express. */
export interface WrittenAgent {
  readonly text: string
  readonly losses: readonly Loss[]
}

export interface Loss {
  /** The field of the agent, with dots. */
  readonly field: string
  readonly message: string
}

/** Writes an agent, then reads the text back. Parts that did not come back are parts that the format cannot express. */
export function writeAgent(
  format: Format,
  original: Agent,
  file: string,
  options: ReadOptions = {},
): WrittenAgent {
  const agent = writeOutTools(format, original)
  const text = serialise(format, writeScriptEntries(agent), { path: file, options })
  const { agent: back, problems } = readAgent(format, { path: file, text }, options)
  const refusals = problems
    .filter(({ severity, loads }) => severity === "error" && !loads)
    .map(({ message }): Loss => ({ field: "", message }))
  const losses = back ? [...lossesBetween(format, agent, back), ...toolLosses(format, original)] : []
  return { text, losses: [...refusals, ...losses] }
}

/** In some formats an agent without a list has every tool. A file of another format has to list `*` for that. */
const writeOutTools = (format: Format, agent: Agent): Agent =>
  agent.tools.mode === "inherit" && meansEveryTool(agent.origin.format) && !meansEveryTool(format.id)
    ? { ...agent, tools: { ...agent.tools, mode: "list", allow: ["*"] } }
    : agent

/** Finds tools that change their meaning, although every key comes back unchanged. */
function toolLosses({ id, title }: Format, { tools, origin }: Agent): readonly Loss[] {
  if (tools.mode !== "inherit" || origin.format === id) return []
  if (meansEveryTool(id) && !meansEveryTool(origin.format))
    return [
      {
        field: "tools",
        message: `Without a list, this agent has the tools of its caller. In ${title} files it would have every tool that the tree may use. List its tools.`,
      },
    ]
  if (origin.format === "codex-md")
    return [
      {
        field: "tools",
        message: `Without a list, a subagent in a Codex file cannot call agents. In ${title} files it can. Deny Agent if it should not.`,
      },
    ]
  if (id === "codex-md")
    return [
      {
        field: "tools",
        message:
          "Without a list, this agent can call agents. In Codex files a subagent cannot. List its tools.",
      },
    ]
  return []
}

function serialise(format: Format, agent: Agent, writing: Writing): string {
  // Without a prototype, `__proto__` is a key like any other.
  const values: { [key: string]: Json } = Object.create(null)
  for (const field of format.fields as readonly Field[]) {
    const value = field.write(agent, writing)
    if (value !== undefined) values[field.key] = value
  }
  const extensions = agent.extensions?.[format.id]
  for (const [key, value] of Object.entries(isMap(extensions) ? extensions : {})) {
    // Keys kept from inside a known key join the written ones, and never override them.
    if (isMap(value) && isMap(values[key])) values[key] = { ...values[key], ...value, ...values[key] }
    else if (!isOwned(format, key)) values[key] = value
  }
  format.amend?.(values, agent)
  const syntax = detectSyntax(writing.path)
  if (syntax === "json") return `${JSON.stringify(withInstructions(format, values, agent), null, 2)}\n`
  if (syntax === "yaml") return writeYaml(withInstructions(format, values, agent))
  const { before, after } = agent.origin.margins ?? { before: "\n", after: "\n" }
  return `---\n${Object.keys(values).length > 0 ? writeYaml(values) : ""}---\n${before}${agent.instructions}${after}`
}

const authority: ReadonlySet<string | undefined> = new Set([
  "tools.allow",
  "tools.deny",
  "delegates",
  "permissionMode",
  "hooks",
  "mcpServers",
  "rules",
])

/** True if a key decides what the agent may do. Such a key is written from the agent only, never from kept values. */
const isOwned = (format: Format, key: string): boolean =>
  (format.fields as readonly Field[]).some(
    (field) => authority.has(field.into) && (field.key === key || field.aliases?.includes(key)),
  )

const withInstructions = (format: Format, values: { [key: string]: Json }, { instructions }: Agent) =>
  format.instructionsKey === null || instructions === ""
    ? values
    : { ...values, [format.instructionsKey ?? "instructions"]: instructions }

function lossesBetween(format: Format, agent: Agent, back: Agent): readonly Loss[] {
  const losses: Loss[] = []
  for (const key of new Set([...Object.keys(agent), ...Object.keys(back)]) as Set<keyof Agent>) {
    if (key === "origin" || isSame(agent[key], back[key])) continue
    for (const field of differingFields(key, agent[key], back[key]))
      losses.push({ field, message: `${format.title} files cannot express the value of ${field}.` })
  }
  return losses
}

/** Compares maps key by key, so that one lost limit is not reported as all limits. */
function differingFields(key: string, left: unknown, right: unknown): readonly string[] {
  if (!isMap(left) || !isMap(right)) return [key]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((inner) => !isSame(left[inner], right[inner]))
    .map((inner) => `${key}.${inner}`)
}
