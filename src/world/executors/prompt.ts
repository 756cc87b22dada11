import type { RunStart } from "../../run/log/event-run.ts"
import type { Pinned } from "../../run/ports/pinned.ts"
import { opening } from "../../run/words/prompt.ts"

/**
 * What a model would have got, as one text: the instructions with their context and environment, then the first message,
 * which is the task unless the instructions hold that. Where a result schema is not handed on otherwise, it is told last.
 */
export function promptOf(
  { agent, context }: Pinned,
  { task, opening: message = task }: Pick<RunStart, "task" | "opening">,
  schema: "told" | "handed on",
): string {
  const { system } = opening(agent, task, context)
  return [system, message, ...(agent.result && schema === "told" ? [schemaNote(agent.result)] : [])]
    .filter((part) => part.trim() !== "")
    .join("\n\n")
}

const schemaNote = (schema: object): string =>
  `Your final answer must be one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
