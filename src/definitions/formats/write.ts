import type { Agent } from "../../agent/agent.ts"
import { meansEveryTool } from "../../agent/ways.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { writeYaml } from "./document/yaml.ts"
import type { Field, Writing } from "./fields/field.ts"
import { isSame } from "./fields/is-same.ts"
import { type Format, syntaxOf } from "./format.ts"
import { readAgent } from "./read-agent.ts"
import type { ReadOptions } from "./read-options.ts"

/** A file of an agent, and what the format cannot say of it. */
export interface Written {
  readonly text: string
  readonly losses: readonly Loss[]
}

export interface Loss {
  /** The field of the agent, with dots. */
  readonly field: string
  readonly message: string
}

/** Writes an agent, then reads what it wrote: what did not come back is what the format cannot say. */
export function writeAgent(format: Format, given: Agent, file: string, options: ReadOptions = {}): Written {
  const agent = withToolsMeant(format, given)
  const text = serialise(format, agent, { path: file, options })
  const { agent: back, problems } = readAgent(format, { path: file, text }, options)
  const refused = problems
    .filter(({ severity, loads }) => severity === "error" && !loads)
    .map(({ message }): Loss => ({ field: "", message }))
  const losses = back ? [...lossesBetween(format, agent, back), ...toolLosses(format, given)] : []
  return { text, losses: [...refused, ...losses] }
}

/** Without a list, some formats mean every tool. In a file of another format that has to be written out. */
const withToolsMeant = (format: Format, agent: Agent): Agent =>
  agent.tools.mode === "inherit" && meansEveryTool(agent.origin.format) && !meansEveryTool(format.id)
    ? { ...agent, tools: { ...agent.tools, mode: "list", allow: ["*"] } }
    : agent

/** What changes its meaning though every key comes back as it was. */
function toolLosses({ id, title }: Format, { tools, origin }: Agent): readonly Loss[] {
  if (tools.mode !== "inherit" || origin.format === id) return []
  if (meansEveryTool(id) && !meansEveryTool(origin.format))
    return [
      {
        field: "tools",
        message: `Without a list this agent has the tools of its caller. In ${title} files that means every tool that the tree may use. List its tools.`,
      },
    ]
  if (origin.format === "codex-md")
    return [
      {
        field: "tools",
        message: `Without a list a subagent in a Codex file hands no work on. In ${title} files it may. Take Agent away if it should not.`,
      },
    ]
  if (id === "codex-md")
    return [
      {
        field: "tools",
        message:
          "Without a list this agent may hand work on. In Codex files a subagent does not. List its tools.",
      },
    ]
  return []
}

function serialise(format: Format, agent: Agent, writing: Writing): string {
  // Without a prototype: a key such as __proto__ is data like any other.
  const values: { [key: string]: Json } = Object.create(null)
  for (const field of format.fields as readonly Field[]) {
    const value = field.write(agent, writing)
    if (value !== undefined) values[field.key] = value
  }
  const kept = agent.extensions?.[format.id]
  for (const [key, value] of Object.entries(isMap(kept) ? kept : {})) {
    // What was kept from below a key that the format knows joins what is written there, and never beats it.
    if (isMap(value) && isMap(values[key])) values[key] = { ...values[key], ...value, ...values[key] }
    else if (!isOwned(format, key)) values[key] = value
  }
  format.amend?.(values, agent)
  const syntax = syntaxOf(writing.path)
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

/** Whether a key says what the agent may do: then only the agent says what is written there. */
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
    for (const field of differing(key, agent[key], back[key]))
      losses.push({ field, message: `${format.title} files cannot say ${field} as it is.` })
  }
  return losses
}

/** Maps are compared key by key, so that one limit that is lost is not called all of them. */
function differing(key: string, left: unknown, right: unknown): readonly string[] {
  if (!isMap(left) || !isMap(right)) return [key]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((inner) => !isSame(left[inner], right[inner]))
    .map((inner) => `${key}.${inner}`)
}
