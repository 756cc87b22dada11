import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"

/** Throws TEXT_EMPTY for an empty task, because providers refuse empty messages. Some templates need no task. */
export function requireTask(agent: Agent, task: string): void {
  if (!isBlank(task) || !needsTask(agent)) return
  throw new CadreError("TEXT_EMPTY", "The task is empty. Write what the agent should do.")
}

/** False if the agent's template makes the first message from variables alone. */
export const needsTask = (agent: Agent): boolean =>
  agent.template?.context === undefined || isTaskInPrompt(agent)

export const isBlank = (text: string): boolean => text.trim() === ""

/** True if the system prompt contains the task. */
export const isTaskInPrompt = ({ template, instructions }: Agent): boolean =>
  template?.task === "append" || /\{\{ ?task ?\}\}/.test(instructions)
