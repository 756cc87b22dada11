import { isDeepStrictEqual } from "node:util"
import { CORE_SCHEMA, dump } from "js-yaml"
import type { Agent } from "../agent.ts"
import type { Json } from "../message.ts"
import type { Field } from "./field.ts"
import { type Format, type ReadOptions, readAgent, syntaxOf } from "./format.ts"

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
export function writeAgent(format: Format, agent: Agent, file: string, options: ReadOptions = {}): Written {
  const text = serialise(format, agent, file)
  const { agent: back, problems } = readAgent(format, { path: file, text }, options)
  const refused = problems
    .filter(({ severity }) => severity === "error")
    .map(({ message }): Loss => ({ field: "", message }))
  return { text, losses: [...refused, ...(back ? lossesBetween(format, agent, back) : [])] }
}

function serialise(format: Format, agent: Agent, file: string): string {
  const values: { [key: string]: Json } = {}
  for (const field of format.fields as readonly Field[]) {
    const value = field.write(agent)
    if (value !== undefined) values[field.key] = value
  }
  Object.assign(values, agent.extensions?.[format.id])
  format.amend?.(values, agent)
  const syntax = syntaxOf(file)
  if (syntax === "json") return `${JSON.stringify(withInstructions(values, agent), null, 2)}\n`
  if (syntax === "yaml") return yamlOf(withInstructions(values, agent))
  const { before, after } = agent.origin.margins ?? { before: "\n", after: "\n" }
  return `---\n${Object.keys(values).length > 0 ? yamlOf(values) : ""}---\n${before}${agent.instructions}${after}`
}

/** Formats without a body have written the instructions into some field of their own. */
const withInstructions = (values: { [key: string]: Json }, { instructions }: Agent) =>
  Object.values(values).includes(instructions) || instructions === "" ? values : { ...values, instructions }

const yamlOf = (values: { [key: string]: Json }): string =>
  dump(values, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })

function lossesBetween(format: Format, agent: Agent, back: Agent): readonly Loss[] {
  const losses: Loss[] = []
  for (const key of new Set([...Object.keys(agent), ...Object.keys(back)]) as Set<keyof Agent>) {
    if (key === "origin" || isDeepStrictEqual(agent[key], back[key])) continue
    for (const field of differing(key, agent[key], back[key]))
      losses.push({ field, message: `${format.title} files cannot say ${field} as it is.` })
  }
  return losses
}

/** Maps are compared key by key, so that one limit that is lost is not called all of them. */
function differing(key: string, left: unknown, right: unknown): readonly string[] {
  if (!isMap(left) || !isMap(right)) return [key]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((inner) => !isDeepStrictEqual(left[inner], right[inner]))
    .map((inner) => `${key}.${inner}`)
}

const isMap = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
