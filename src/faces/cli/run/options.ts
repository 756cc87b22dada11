import { statSync } from "node:fs"
import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { isVariableValue, maxVariableLevels } from "../../../agent/variable.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { readDuration } from "../../../definitions/formats/fields/duration.ts"
import { formats } from "../../../definitions/formats/index.ts"
import type { RunLimits } from "../../../ground/limits.ts"
import type { Json } from "../../../ground/message.ts"
import type { CommandOption } from "../command.ts"
import { UsageError } from "../usage-error.ts"

/** The options that `run` and `resume` share. */
export const drivingOptions = {
  yes: { type: "flag", doc: "Approve every tool call that needs approval" },
  deny: { type: "flag", doc: "Deny every tool call that needs approval" },
  unattended: {
    type: "value",
    value: "WHAT",
    doc: "Rest, fail or deny where a call needs approval and there is no terminal. Default: the setting, or rest",
    choices: ["rest", "fail", "deny"],
  },
  mode: {
    type: "value",
    value: "MODE",
    doc: "Approval mode",
    choices: ["plan", "default", "accept-edits", "bypass"],
  },
  sandbox: {
    type: "value",
    value: "WHETHER",
    doc: "Run commands in a sandbox",
    choices: ["required", "preferred", "off"],
  },
  trust: { type: "flag", doc: "Trust this project's agents and configuration for this run only" },
  notify: {
    type: "value",
    value: "CMD",
    doc: "Run this shell command when the run rests or has ended, with CADRE_RUN, CADRE_AGENT and CADRE_STATE",
  },
  json: { type: "flag", doc: "Print one JSON object with the result" },
  jsonl: { type: "flag", doc: "Print every event as one JSON line, with the result as the last line" },
} as const satisfies Readonly<Record<string, CommandOption>>

export interface Driving {
  /**
   * The answer to calls that need approval. `person` asks at the terminal; without a terminal, the run rests. `refuse`
   * denies them, because there is no terminal.
   */
  readonly asks: "allow" | "deny" | "person" | "refuse"
  readonly print: "text" | "json" | "jsonl"
  /** `kept`: only what the user trusted with `cadre trust`. */
  readonly trust: "all" | "kept"
  /** The fate of a call that needs approval where there is no terminal. Undefined: the setting decides. */
  readonly unattended?: Configuration["unattended"]
  /** The shell command that tells a person. */
  readonly notify?: string
  /** Undefined: the mode of the configuration. */
  readonly mode?: Configuration["mode"]
  readonly sandbox?: Configuration["sandbox"]
}

export function readDriving(
  options: {
    readonly [name in "yes" | "deny" | "trust" | "json" | "jsonl"]?: true | undefined
  } & {
    readonly unattended?: Configuration["unattended"] | undefined
    readonly notify?: string | undefined
    readonly mode?: Configuration["mode"] | undefined
    readonly sandbox?: Configuration["sandbox"] | undefined
  },
): Driving {
  const { mode, sandbox, unattended, notify } = options
  if (options.yes && options.deny) throw new UsageError("Use either --yes or --deny, not both.")
  if (options.json && options.jsonl) throw new UsageError("Use either --json or --jsonl, not both.")
  return {
    asks: options.yes ? "allow" : options.deny ? "deny" : "person",
    print: options.json ? "json" : options.jsonl ? "jsonl" : "text",
    trust: options.trust ? "all" : "kept",
    ...(unattended && { unattended }),
    ...(notify !== undefined && { notify }),
    ...(mode && { mode }),
    ...(sandbox && { sandbox }),
  }
}

/** The limits that a command line sets. An invalid limit is a usage error; it never means "unlimited". */
export function readLimitOptions(options: {
  readonly timeout?: string | undefined
  readonly "max-turns"?: string | undefined
  readonly "max-cost"?: string | undefined
}): RunLimits {
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
    `--timeout takes seconds above 0, such as 90, or a time such as 30s, 5m or 1h, not ${JSON.stringify(text)}.`,
  )
}

function readNumber(name: string, text: string, kind: "a number" | "a whole number"): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (value > 0 && Number.isFinite(value) && (kind === "a number" || Number.isInteger(value))) return value
  throw new UsageError(
    `${name} takes ${kind} above 0, not ${JSON.stringify(text)}. Leave it out to use the default.`,
  )
}

/** Valid JSON is parsed, other values are strings. A text variable of the agent's format, such as source code, stays a string. */
export function readVariables(
  assignments: readonly string[],
  agent?: Agent,
): { readonly [name: string]: Json } {
  const { textVariables = [] } = formats.find(({ id }) => id === agent?.origin.format) ?? {}
  return readNamedValues("--var", assignments, (name) => textVariables.includes(name))
}

/** The values of an option that takes `NAME=VALUE`. A value for which `isText` is true is never parsed as JSON. */
export function readNamedValues(
  option: string,
  assignments: readonly string[],
  isText: (name: string) => boolean,
): { readonly [name: string]: Json } {
  const texts = new Map<string, string>()
  for (const text of assignments) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`${option} takes NAME=VALUE, not ${JSON.stringify(text)}.`)
    const before = texts.get(name)
    if (before !== undefined)
      throw new UsageError(
        `${option} sets ${JSON.stringify(name)} twice: to ${shortly(before)} and to ${shortly(value)}. Leave one out. Write a list as JSON: ${option} '${name}=["a", "b"]'.`,
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
  // A number cannot hold all digits of such a long id, so the id stays a string.
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) return text
  if (!isVariableValue(value))
    throw new UsageError(`${option} is JSON with more than ${maxVariableLevels} levels. Nest it less deeply.`)
  return value
}

function jsonOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The folder that a run works in. */
export function resolveFolder(directory: string, option: string | undefined): string {
  if (option === undefined) return directory
  const folder = path.resolve(directory, option)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--cwd: ${JSON.stringify(option)} is not a folder.`)
  return folder
}

/** Makes the path in the address of a code node relative to the project, as its messages show it. */
export function toProjectAddress(folder: string, directory: string, address: string): string {
  if (folder === directory) return address
  const [file, ...name] = address.split("::")
  return [path.relative(folder, path.resolve(directory, file!)), ...name].join("::")
}

/** Makes the path of a script model absolute, so that the run can be resumed from another folder. */
export const resolveScriptModel = (directory: string, model: string): string =>
  model.startsWith("script:") ? `script:${path.resolve(directory, model.slice("script:".length))}` : model
