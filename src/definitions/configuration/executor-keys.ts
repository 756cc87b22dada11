import {
  executorOptions,
  executorUsages,
  findExecutorOptionsProblem as wordsProblem,
} from "../../agent/executor.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { EntryKey } from "./entry-key.ts"
import { splitWords } from "./split-words.ts"

const words: JsonSchema = { type: "array", items: { type: "string" }, minItems: 1 }
const line: JsonSchema = { anyOf: [{ type: "string", pattern: "\\S" }, words] }
const pathSchema: JsonSchema = { type: "string", pattern: "^[^.]+(\\.[^.]+)*$" }

/** One key of an entry below `executors:`. */
export const executorKeys: readonly EntryKey[] = [
  {
    key: "command",
    type: { type: "either", of: [{ type: "text" }, { type: "list" }] },
    schema: line,
    doc: "The program and its arguments, as a list or as one line. It does not run in a shell.",
    problemOf: lineProblem,
    isSecret: (value) => splitCommand(value).some((word) => keyShape.test(word)),
  },
  {
    key: "prompt",
    type: { type: "choice", of: ["stdin", "file", "argument"] },
    doc: "The way the program gets the prompt: on its standard input, as a file (`{prompt_file}` in the command), or as the argument `{prompt}`.",
  },
  {
    key: "result",
    type: { type: "choice", of: ["text", "json"] },
    doc: "The output of the program: its answer as text, or one JSON value with the answer in it.",
  },
  {
    key: "text",
    type: { type: "text" },
    schema: pathSchema,
    doc: "For `result: json`: the path of the answer, with dots.",
    problemOf: wayProblem,
  },
  {
    key: "value",
    type: { type: "text" },
    schema: pathSchema,
    doc: "For `result: json`: the path of the result of an agent with an `output` schema.",
    problemOf: wayProblem,
  },
  {
    key: "usage",
    type: { type: "map" },
    schema: {
      type: "object",
      properties: Object.fromEntries(executorUsages.map((name) => [name, pathSchema])),
      additionalProperties: false,
    },
    doc: "For `result: json`: the paths of its usage: `input` and `output` in tokens, `cost` in US dollars.",
    problemOf: usageProblem,
  },
  {
    key: "options",
    type: { type: "map" },
    schema: {
      type: "object",
      properties: Object.fromEntries(executorOptions.map((name) => [name, line])),
      additionalProperties: false,
    },
    doc: `Arguments that are added if an agent sets an option, with \`{}\` in place of its value: ${executorOptions.join(", ")}.`,
    problemOf: optionsProblem,
  },
  {
    key: "timeout",
    type: { type: "number", minimum: 1 },
    doc: "The timeout in milliseconds, within the limits of the run.",
  },
  {
    key: "environment",
    type: { type: "words" },
    doc: "Names of environment variables that it gets besides the harmless ones, such as the one with its key.",
    of: "user",
    problemOf: namesProblem,
  },
  {
    key: "sandbox",
    type: { type: "choice", of: ["required", "preferred", "off"] },
    doc: "The sandbox of the program. Default: the setting for commands.",
    of: "user",
  },
  {
    key: "network",
    type: { type: "choice", of: ["none", "full"] },
    doc: "The network in the sandbox. Default: the setting for commands.",
    of: "user",
  },
  {
    key: "writable",
    type: { type: "words" },
    doc: "More folders, besides the workspace, that it may write to in the sandbox.",
    of: "user",
  },
  {
    key: "visible",
    type: { type: "words" },
    doc: "More folders that it may read in the sandbox, which hides your home folder.",
    of: "user",
  },
]

/** The shapes of providers' keys. A command must not contain one, because it is recorded with every run. */
const keyShape =
  /(?:^|[^A-Za-z0-9])(?:sk-[\w-]{16,}|sk_live_\w{10,}|gh[pousr]_\w{16,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abprs]-[\w-]{8,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,})/

/** Splits a line into words. The line has passed `lineProblem`. */
export function splitCommand(value: Json): readonly string[] {
  if (typeof value !== "string") return value as readonly string[]
  const split = splitWords(value)
  return "words" in split ? split.words : []
}

function lineProblem(value: Json): string | undefined {
  if (typeof value === "string") {
    const split = splitWords(value)
    return "problem" in split ? split.problem : undefined
  }
  const wrong = (value as readonly Json[]).find((word) => typeof word !== "string")
  if (wrong !== undefined) return `must be a list of texts; put ${JSON.stringify(wrong)} in quotes`
  return (value as readonly string[])[0]?.trim() ? undefined : "must begin with the name of a program"
}

function wayProblem(value: Json): string | undefined {
  return (value as string).split(".").every((name) => name.trim() !== "")
    ? undefined
    : "must be names separated by dots, such as `result.text`"
}

function usageProblem(value: Json): string | undefined {
  for (const [name, way] of Object.entries(value as { readonly [name: string]: Json })) {
    if (!executorUsages.some((usage) => usage === name))
      return `has the unknown key ${JSON.stringify(name)}. Known: ${executorUsages.join(", ")}`
    const problem = typeof way === "string" ? wayProblem(way) : "must be text"
    if (problem !== undefined) return `at ${name} ${problem}`
  }
  return undefined
}

function optionsProblem(value: Json): string | undefined {
  for (const [name, line] of Object.entries(value as { readonly [name: string]: Json })) {
    if (!executorOptions.some((option) => option === name))
      return `has the unknown key ${JSON.stringify(name)}. Known: ${executorOptions.join(", ")}`
    if (typeof line !== "string" && !Array.isArray(line)) return `at ${name} must be text or a list of texts`
    const problem = lineProblem(line)
    if (problem !== undefined) return `at ${name} ${problem}`
  }
  const lines = Object.entries(value as { readonly [name: string]: Json })
  return wordsProblem(Object.fromEntries(lines.map(([name, line]) => [name, splitCommand(line)])))
}

function namesProblem(value: Json): string | undefined {
  const wrong = (value as readonly string[]).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (wrong === undefined) return undefined
  return wrong.includes("=")
    ? "must contain only names, because a value would be visible here. To set a value, begin the command with `env NAME=value`"
    : `must contain names of variables, and ${JSON.stringify(wrong)} is not one`
}
