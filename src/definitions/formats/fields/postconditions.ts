import { findPostconditionProblems, type Postcondition } from "../../../agent/postcondition.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { ReportProblem } from "../problem.ts"
import { checkSchema } from "./check-schema.ts"
import { defineSameField, listType } from "./common.ts"
import { readDuration, writeDuration } from "./duration.ts"
import type { Field } from "./field.ts"

/** The checks that must pass when the agent says it is done. */
export function definePostconditionsField(): Field {
  return {
    ...defineSameField(
      "postconditions",
      "postconditions",
      listType,
      "Conditions that the runtime checks when the agent says it is done: `{file: PATH, contains: TEXT}`, " +
        "`{command: TEXT, timeout: 2m}`, `{schema: JSON SCHEMA, file: PATH}`.",
    ),
    read: (draft, value, { report }) => {
      const entries = (value as readonly Json[]).map(withMilliseconds)
      const problems = findPostconditionProblems(entries)
      for (const { path, about = "value", message } of problems)
        report(problem(["postconditions", ...path], about, message))
      const inner = problems.length > 0 ? 0 : reportSchemas(entries, report)
      if (problems.length + inner === 0) draft.postconditions = entries as unknown as readonly Postcondition[]
    },
    write: ({ postconditions }) => postconditions?.map(withDuration) as Json | undefined,
  }
}

function reportSchemas(entries: readonly Json[], report: ReportProblem): number {
  const problems = entries.flatMap((entry, index) =>
    isMap(entry) && entry.schema !== undefined
      ? checkSchema(entry.schema).map(({ path, message }) => ({ path: [index, "schema", ...path], message }))
      : [],
  )
  for (const { path, message } of problems) report(problem(["postconditions", ...path], "value", message))
  return problems.length
}

const withMilliseconds = (entry: Json): Json =>
  isMap(entry) && entry.timeout !== undefined
    ? { ...entry, timeout: readDuration(entry.timeout) ?? entry.timeout }
    : entry

const withDuration = (condition: Postcondition): Postcondition | Json =>
  "command" in condition && condition.timeout !== undefined
    ? { ...condition, timeout: writeDuration(condition.timeout) }
    : condition

const problem = (path: KeyPath, about: "key" | "value", message: string) => ({
  code: about === "key" ? "key-unknown" : "field-type",
  severity: "error" as const,
  message: `\`${path.join(".")}\` ${message.replace(/\.$/, "")}.`,
  at: { type: about, path },
})
