import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"

/**
 * Throws TEXT_EMPTY for an empty task, because providers refuse empty messages. Some templates need no task, and a code
 * node makes a message of its own.
 */
export function requireTask(agent: Agent, task: string, node?: Beginning["node"]): void {
  if (!isBlank(task) || !needsTask(agent, node)) return
  throw new CadreError("TEXT_EMPTY", "The task is empty. Write what the agent should do.")
}

/** False if the agent's template, or a code node, makes the first message without a task. */
export const needsTask = (agent: Agent, node?: Beginning["node"]): boolean =>
  (agent.template?.context === undefined && node === undefined) || isTaskInPrompt(agent)

export const isBlank = (text: string): boolean => text.trim() === ""

/** True if the system prompt contains the task. */
export const isTaskInPrompt = ({ template, instructions }: Agent): boolean =>
  template?.task === "append" || /\{\{ ?task ?\}\}/.test(instructions)
