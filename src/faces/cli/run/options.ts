import { statSync } from "node:fs"
import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { deepestVariable, isVariableValue } from "../../../agent/variable.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { readDuration } from "../../../definitions/formats/fields/duration.ts"
import { formats } from "../../../definitions/formats/index.ts"
import type { Limits } from "../../../ground/limits.ts"
import type { Json } from "../../../ground/message.ts"
import type { Option } from "../command.ts"
import { UsageError } from "../usage-error.ts"

/** What `run` and `resume` have in common. */
export const drivingOptions = {
  yes: { type: "flag", doc: "Approve every tool call that needs approval" },
  deny: { type: "flag", doc: "Deny every tool call that needs approval" },
  mode: {
    type: "value",
    value: "MODE",
    doc: "How much needs your approval",
    choices: ["plan", "default", "accept-edits", "bypass"],
  },
  sandbox: {
    type: "value",
    value: "WHETHER",
    doc: "Run commands in a sandbox",
    choices: ["required", "preferred", "off"],
  },
  trust: { type: "flag", doc: "Trust this project's agents and configuration for this run only" },
  json: { type: "flag", doc: "Print one JSON object with the result" },
  jsonl: { type: "flag", doc: "Print every event as one JSON line, with the result as the last line" },
} as const satisfies Readonly<Record<string, Option>>

export interface Driving {
  /** `person`: whoever is at the terminal; where nobody is, the run rests. */
  readonly asks: "allow" | "deny" | "person"
  readonly print: "text" | "json" | "jsonl"
  /** `kept`: what \`cadre trust\` has kept, and no more. */
  readonly trust: "all" | "kept"
  /** Undefined: as the configuration says. */
  readonly mode?: Configuration["mode"]
  readonly sandbox?: Configuration["sandbox"]
}

export function drivingOf(
  options: {
    readonly [name in "yes" | "deny" | "trust" | "json" | "jsonl"]?: true | undefined
  } & {
    readonly mode?: Configuration["mode"] | undefined
    readonly sandbox?: Configuration["sandbox"] | undefined
  },
): Driving {
  const { mode, sandbox } = options
  if (options.yes && options.deny) throw new UsageError("--yes and --deny exclude each other.")
  if (options.json && options.jsonl) throw new UsageError("--json and --jsonl exclude each other.")
  return {
    asks: options.yes ? "allow" : options.deny ? "deny" : "person",
    print: options.json ? "json" : options.jsonl ? "jsonl" : "text",
    trust: options.trust ? "all" : "kept",
    ...(mode && { mode }),
    ...(sandbox && { sandbox }),
  }
}

/** The limits that a command line sets; a wrong one is wrong usage, and never means "unlimited". */
export function limitsOf(options: {
  readonly timeout?: string | undefined
  readonly "max-turns"?: string | undefined
  readonly "max-cost"?: string | undefined
}): Limits {
  const { timeout, "max-turns": turns, "max-cost": cost } = options
  return {
    ...(timeout !== undefined && { timeout: readTimeout(timeout) }),
    ...(turns !== undefined && { maxTurns: readNumber("--max-turns", turns, "a whole number") }),
    ...(cost !== undefined && { maxCost: readNumber("--max-cost", cost, "a number") }),
  }
}

function readTimeout(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds !== undefined && milliseconds > 0 && Number.isFinite(milliseconds)) return milliseconds
  throw new UsageError(
    `--timeout takes seconds above 0, such as 90, or 30s, 5m or 1h; ${JSON.stringify(text)} is none.`,
  )
}

function readNumber(name: string, text: string, kind: "a number" | "a whole number"): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (value > 0 && Number.isFinite(value) && (kind === "a number" || Number.isInteger(value))) return value
  throw new UsageError(
    `${name} takes ${kind} above 0; ${JSON.stringify(text)} is none. Leave it out for the default.`,
  )
}

/** What is JSON is read as JSON, anything else is text; so is what is text by the agent's format, such as source code. */
export function variablesOf(given: readonly string[], agent?: Agent): { readonly [name: string]: Json } {
  const { textVariables = [] } = formats.find(({ id }) => id === agent?.origin.format) ?? {}
  return namedValues("--var", given, (name) => textVariables.includes(name))
}

/** The values of an option that takes `NAME=VALUE`; what is text by its name is never read as JSON. */
export function namedValues(
  option: string,
  given: readonly string[],
  isText: (name: string) => boolean,
): { readonly [name: string]: Json } {
  const texts = new Map<string, string>()
  for (const text of given) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`${option} takes NAME=VALUE; ${JSON.stringify(text)} is none.`)
    const before = texts.get(name)
    if (before !== undefined)
      throw new UsageError(
        `${option} gives ${JSON.stringify(name)} twice: ${shortly(before)} and ${shortly(value)}. Only one of them can hold: leave the other out. A list is given as JSON: ${option} '${name}=["a", "b"]'.`,
      )
    texts.set(name, value)
  }
  return Object.fromEntries(
    [...texts].map(([name, value]) => [name, isText(name) ? value : readValue(`${option} ${name}`, value)]),
  )
}

const shortly = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

function readValue(option: string, text: string): Json {
  const value = jsonOr(text)
  // Some digits of an id that is so long would be others.
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) return text
  if (!isVariableValue(value))
    throw new UsageError(`${option} is JSON of more than ${deepestVariable} levels. Nest it less deeply.`)
  return value
}

function jsonOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Where a run is to work. */
export function folderOf(directory: string, wanted: string | undefined): string {
  if (wanted === undefined) return directory
  const folder = path.resolve(directory, wanted)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--cwd ${JSON.stringify(wanted)} is no folder.`)
  return folder
}

/** A script that the command line names lies where the command was called, also when the run is resumed elsewhere. */
export const modelOf = (directory: string, model: string): string =>
  model.startsWith("script:") ? `script:${path.resolve(directory, model.slice("script:".length))}` : model
