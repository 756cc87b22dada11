import { executorOptions, executorUsages, optionsProblem as wordsProblem } from "../../agent/executor.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { EntryKey } from "./entry-key.ts"
import { splitWords } from "./split-words.ts"

const words: JsonSchema = { type: "array", items: { type: "string" }, minItems: 1 }
const line: JsonSchema = { anyOf: [{ type: "string", pattern: "\\S" }, words] }
const way: JsonSchema = { type: "string", pattern: "^[^.]+(\\.[^.]+)*$" }

/** One key of an entry below `executors:`. */
export const executorKeys: readonly EntryKey[] = [
  {
    key: "command",
    type: { type: "either", of: [{ type: "text" }, { type: "list" }] },
    schema: line,
    doc: "The program and its arguments, as a list or as one line. No shell reads it.",
    problemOf: lineProblem,
    isSecret: (value) => wordsOf(value).some((word) => keyShape.test(word)),
  },
  {
    key: "prompt",
    type: { type: "choice", of: ["stdin", "file", "argument"] },
    doc: "How it is given the prompt: on its input, as a file (`{prompt_file}` in the command), or as the argument `{prompt}`.",
  },
  {
    key: "result",
    type: { type: "choice", of: ["text", "json"] },
    doc: "What it prints: its answer, or one JSON value that holds it.",
  },
  {
    key: "text",
    type: { type: "text" },
    schema: way,
    doc: "Of a JSON value: the way to the answer, with dots.",
    problemOf: wayProblem,
  },
  {
    key: "value",
    type: { type: "text" },
    schema: way,
    doc: "Of a JSON value: the way to what an agent with an `output` schema hands in.",
    problemOf: wayProblem,
  },
  {
    key: "usage",
    type: { type: "map" },
    schema: {
      type: "object",
      properties: Object.fromEntries(executorUsages.map((name) => [name, way])),
      additionalProperties: false,
    },
    doc: "Of a JSON value: the ways to what its models took: `input` and `output` in tokens, `cost` in US dollars.",
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
    doc: `Words that are added where an agent says something of it, which stands for \`{}\` in them: ${executorOptions.join(", ")}.`,
    problemOf: optionsProblem,
  },
  {
    key: "timeout",
    type: { type: "number", minimum: 1 },
    doc: "Milliseconds that it may take, within what the run may.",
  },
  {
    key: "environment",
    type: { type: "words" },
    doc: "Names of variables that it gets besides the harmless ones, such as the one with its key.",
    of: "user",
    problemOf: namesProblem,
  },
  {
    key: "sandbox",
    type: { type: "choice", of: ["required", "preferred", "off"] },
    doc: "As for commands, whose setting holds where it is left out.",
    of: "user",
  },
  {
    key: "network",
    type: { type: "choice", of: ["none", "full"] },
    doc: "In the sandbox; the setting for commands holds where it is left out.",
    of: "user",
  },
  {
    key: "writable",
    type: { type: "words" },
    doc: "Folders besides the workspace that it may write to in the sandbox.",
    of: "user",
  },
  {
    key: "visible",
    type: { type: "words" },
    doc: "Folders that it may read in the sandbox, which hides what you keep at home.",
    of: "user",
  },
]

/** Keys as providers make them: a command is recorded with every run. */
const keyShape =
  /(?:^|[^A-Za-z0-9])(?:sk-[\w-]{16,}|sk_live_\w{10,}|gh[pousr]_\w{16,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abprs]-[\w-]{8,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,})/

/** A line as its words; it has passed `lineProblem`. */
export function wordsOf(value: Json): readonly string[] {
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
  if (wrong !== undefined) return `must be texts; put ${JSON.stringify(wrong)} in quotes`
  return (value as readonly string[])[0]?.trim() ? undefined : "must begin with the name of a program"
}

function wayProblem(value: Json): string | undefined {
  return (value as string).split(".").every((name) => name.trim() !== "")
    ? undefined
    : "must be names with dots between them, such as `result.text`"
}

function usageProblem(value: Json): string | undefined {
  for (const [name, way] of Object.entries(value as { readonly [name: string]: Json })) {
    if (!executorUsages.some((known) => known === name))
      return `has ${JSON.stringify(name)}, but it has ${executorUsages.join(", ")}`
    const problem = typeof way === "string" ? wayProblem(way) : "must be text"
    if (problem !== undefined) return `at ${name} ${problem}`
  }
  return undefined
}

function optionsProblem(value: Json): string | undefined {
  for (const [name, line] of Object.entries(value as { readonly [name: string]: Json })) {
    if (!executorOptions.some((known) => known === name))
      return `has ${JSON.stringify(name)}, but it has ${executorOptions.join(", ")}`
    if (typeof line !== "string" && !Array.isArray(line)) return `has at ${name} no words`
    const problem = lineProblem(line)
    if (problem !== undefined) return `at ${name} ${problem}`
  }
  const lines = Object.entries(value as { readonly [name: string]: Json })
  return wordsProblem(Object.fromEntries(lines.map(([name, line]) => [name, wordsOf(line)])))
}

function namesProblem(value: Json): string | undefined {
  const wrong = (value as readonly string[]).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (wrong === undefined) return undefined
  return wrong.includes("=")
    ? "holds names alone: a value would be written out here. To set one, let the command begin with `env NAME=value`"
    : `holds names of variables, and ${JSON.stringify(wrong)} is none`
}
