import type { Agent } from "../../agent/agent.ts"
import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import {
  parseTemplate,
  renderTemplate,
  type Template,
  unsetVariables,
  variablesOf,
} from "../../language/template/index.ts"
import type { Beginning } from "../ports/beginning.ts"
import { opening } from "../words/prompt.ts"
import { isBlank, isTaskInPrompt, requireTask } from "./require-task.ts"

type Opened = Pick<Beginning, "agent" | "task" | "parent" | "continues">

/**
 * What a run's first user message says: its task, or the agent's template filled with the run's variables. A task that
 * neither the template nor the instructions use stands behind it. Throws where something would be missing from it.
 */
export function firstMessage(opened: Opened, variables: JsonMap): string {
  const { agent, task, continues } = opened
  requireTask(agent, task)
  const context = agent.template?.context
  if (context === undefined) return opening(agent, task).message
  const template = parsed(agent, context)
  const given = { ...variables, ...(!isBlank(task) && { task }) }
  const unset = unsetVariables(template, given).map(({ name }) => name)
  // The run it goes on with has had its own first message: what is new is the task.
  if (unset.length > 0 && continues !== undefined && !isBlank(task)) return task
  if (unset.length > 0) throw unsetError(opened, unset)
  const text = rendered(agent, template, given)
  const isAdded = !isBlank(task) && !isTaskUsed(agent, template, given, text)
  const message = isAdded ? [text.trimEnd(), task].filter((part) => part !== "").join("\n\n") : text
  if (!isBlank(message)) return message
  throw unmade(agent, "it comes to an empty text")
}

/** The names of variables that an agent's template uses, its task among them. */
export function templateVariables({ template }: Pick<Agent, "template">): readonly string[] {
  const parsed = parseTemplate(template?.context ?? "")
  return parsed.type === "template" ? variablesOf(parsed).map(({ name }) => name) : []
}

function parsed(agent: Agent, context: string): Template {
  const template = parseTemplate(context)
  if (template.type === "template") return template
  // What a template comes to depends on the variables of the call, unless it is none.
  throw unmade(agent, template.problem.message, "written")
}

function rendered(agent: Agent, template: Template, variables: JsonMap): string {
  const made = renderTemplate(template, variables)
  if (made.type === "text") return made.text
  throw unmade(agent, made.problem.message)
}

const unmade = ({ name }: Agent, why: string, kind: StartProblem["kind"] = "call"): StartError =>
  new StartError([
    {
      code: "AGENT_INVALID",
      kind,
      rule: "template-invalid",
      part: "template",
      message: `The first message of agent "${name}" cannot be made from its template: ${why.replace(/\.$/, "")}.`,
    },
  ])

/** Whether another task would make another prompt: a template may name it where this run does not come by. */
function isTaskUsed(agent: Agent, template: Template, variables: JsonMap, text: string): boolean {
  if (isTaskInPrompt(agent)) return true
  if (!variablesOf(template).some(({ name }) => name === "task")) return false
  const other = renderTemplate(template, { ...variables, task: "another task" })
  return other.type === "failed" || other.text !== text
}

function unsetError({ agent, parent }: Opened, unset: readonly string[]): StartError {
  const variables = unset.filter((name) => name !== "task")
  const ways = [
    ...(unset.includes("task") ? ["Write a task after the name of the agent."] : []),
    ...(parent ? callersWays(agent, variables) : personsWays(variables, unset)),
  ]
  return new StartError([
    {
      code: "VARIABLE_UNSET",
      kind: "call",
      part: "template",
      message: `The template of agent "${agent.name}" uses ${unset.join(", ")}, which ${unset.length === 1 ? "is" : "are"} not set, so nothing is sent. ${ways.join(" ")} A template that can do without one says so: \`{{ ${unset[0]} | default("") }}\`.`,
    },
  ])
}

function personsWays(variables: readonly string[], unset: readonly string[]): readonly string[] {
  if (variables.length === 0) return []
  const pronoun = unset.length === 1 ? "it" : "them"
  const which = variables.length === unset.length ? pronoun : variables.join(", ")
  const options = variables.map((name) => `--var ${name}=…`).join(" ")
  const keys = variables.map((name) => `${name}: …`).join(", ")
  return [`Set ${which} with \`${options}\`, or in code with \`runtime.run(…, { variables: { ${keys} } })\`.`]
}

/** A model that calls it may set only some. */
function callersWays({ callVariables = [] }: Agent, variables: readonly string[]): readonly string[] {
  const open = variables.filter((name) => callVariables.includes(name))
  const closed = variables.filter((name) => !open.includes(name))
  return [
    ...(open.length > 0 ? [`Set ${open.join(", ")} with the argument "variables" of the call.`] : []),
    ...(closed.length > 0
      ? [
          `A call may not set ${closed.join(", ")}: its definition would have to list ${closed.length === 1 ? "it" : "them"} in \`callVariables\`.`,
        ]
      : []),
  ]
}
