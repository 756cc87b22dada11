import type { Agent } from "../agent.ts"
import { StartError } from "../errors.ts"
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
  throw new StartError([
    {
      code: "AGENT_INVALID",
      // What a template comes to depends on the variables of the call, unless it is none.
      kind: template.type === "invalid" ? "written" : "call",
      rule: "template-invalid",
      part: "template",
      message: `The first message of agent "${agent.name}" cannot be made from its template: ${why}.`,
    },
  ])
}
