import type { Agent } from "../agent.ts"
import { CadreError } from "../errors.ts"
import type { JsonMap } from "../message.ts"
import { parseTemplate, renderTemplate } from "../template/index.ts"
import { opening } from "./prompt.ts"

/** What a run's first user message says: its task, or the agent's template filled with the run's variables and task. */
export function firstMessage(agent: Agent, task: string, variables: JsonMap): string {
  const context = agent.template?.context
  if (context === undefined) return opening(agent, task).message
  const template = parseTemplate(context)
  const rendered =
    template.type === "invalid"
      ? { type: "failed" as const, problem: template.problem }
      : renderTemplate(template, { task, ...variables })
  if (rendered.type === "text" && rendered.text.trim() !== "") return rendered.text
  const why = rendered.type === "text" ? "it comes to an empty text" : rendered.problem.message
  throw new CadreError(
    "AGENT_INVALID",
    `The first message of agent "${agent.name}" cannot be made from its template: ${why}.`,
  )
}
