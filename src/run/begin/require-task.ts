import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"

/** Throws TEXT_EMPTY where there is nothing to do: providers refuse an empty message. A template may make one without a task. */
export function requireTask(agent: Agent, task: string): void {
  if (!isBlank(task) || !needsTask(agent)) return
  throw new CadreError("TEXT_EMPTY", "A task must have some text: there is nothing to do otherwise.")
}

/** Of others the first message is made of variables, where it does not use the task. */
export const needsTask = (agent: Agent): boolean =>
  agent.template?.context === undefined || isTaskInPrompt(agent)

export const isBlank = (text: string): boolean => text.trim() === ""

/** Whether the system prompt holds the task. */
export const isTaskInPrompt = ({ template, instructions }: Agent): boolean =>
  template?.task === "append" || /\{\{ ?task ?\}\}/.test(instructions)
