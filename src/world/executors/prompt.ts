import type { RunStart } from "../../run/log/event-run.ts"
import type { PinnedDefinition } from "../../run/ports/pinned.ts"
import { buildOpening } from "../../run/words/prompt.ts"

/**
 * Joins the texts that a model would get: the instructions with their context and environment, then the first message.
 * That message is the task, unless the instructions contain the task. A result schema comes last, unless an option of
 * the executor passes it.
 */
export function writeExecutorPrompt(
  { agent, context }: PinnedDefinition,
  { task, opening: message = task }: Pick<RunStart, "task" | "opening">,
  schema: "told" | "handed on",
): string {
  const { system } = buildOpening(agent, task, context)
  return [system, message, ...(agent.result && schema === "told" ? [schemaNote(agent.result)] : [])]
    .filter((part) => part.trim() !== "")
    .join("\n\n")
}

const schemaNote = (schema: object): string =>
  `Your final answer must be one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
