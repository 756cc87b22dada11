import type { Agent } from "../../agent/agent.ts"
import { nodeVariables, type RunNodeInput } from "../../agent/run-node.ts"
import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import {
  findUnsetVariables,
  listUsedVariables,
  parseTemplate,
  renderTemplate,
  type Template,
} from "../../language/template/index.ts"
import type { Beginning } from "../ports/beginning.ts"
import { buildOpening, writeNodeBlock } from "../words/prompt.ts"
import { isBlank, isTaskInPrompt, requireTask } from "./require-task.ts"

type MessageBeginning = Pick<Beginning, "agent" | "task" | "parent" | "continues" | "node">

/**
 * The first user message of a run: its task, or the agent's template filled with the run's variables. A task that
 * neither the template nor the instructions use is appended. Throws if a variable is not set or the text is empty.
 */
export function writeFirstMessage(beginning: MessageBeginning, variables: JsonMap): string {
  const { agent, task, continues, node } = beginning
  requireTask(agent, task, node)
  const context = agent.template?.context
  if (context === undefined)
    return typeof node === "object" ? nodeMessage(agent, node, task) : buildOpening(agent, task).message
  const template = parsed(agent, context)
  const values = { ...variables, ...(!isBlank(task) && { task }) }
  const unset = findUnsetVariables(template, values).map(({ name }) => name)
  // The continued run already had its first message, so the task alone is enough.
  if (unset.length > 0 && continues !== undefined && !isBlank(task)) return task
  if (unset.length > 0) throw unsetError(beginning, unset)
  const text = rendered(agent, template, values)
  const isAdded = !isBlank(task) && !isTaskUsed(agent, template, values, text)
  const message = isAdded ? [text.trimEnd(), task].filter((part) => part !== "").join("\n\n") : text
  if (!isBlank(message)) return message
  throw templateError(agent, "the text is empty")
}

/** An agent without a template is sent the node before its task. */
const nodeMessage = (agent: Agent, node: RunNodeInput, task: string): string =>
  [writeNodeBlock(node), ...(isBlank(task) || isTaskInPrompt(agent) ? [] : [task])].join("\n\n")

/** The names of variables that an agent's template uses, its task among them. */
export function listTemplateVariables({ template }: Pick<Agent, "template">): readonly string[] {
  const parsed = parseTemplate(template?.context ?? "")
  return parsed.type === "template" ? listUsedVariables(parsed).map(({ name }) => name) : []
}

function parsed(agent: Agent, context: string): Template {
  const template = parseTemplate(context)
  if (template.type === "template") return template
  // A template that does not parse is a fault of the definition. Other failures depend on the variables of the call.
  throw templateError(agent, template.problem.message, "written")
}

function rendered(agent: Agent, template: Template, variables: JsonMap): string {
  const result = renderTemplate(template, variables)
  if (result.type === "text") return result.text
  throw templateError(agent, result.problem.message)
}

const templateError = ({ name }: Agent, why: string, kind: StartProblem["kind"] = "call"): StartError =>
  new StartError([
    {
      code: "AGENT_INVALID",
      kind,
      rule: "template-invalid",
      part: "template",
      message: `The first message of agent "${name}" cannot be made from its template: ${why.replace(/\.$/, "")}.`,
    },
  ])

/** True if another task would make another prompt. A template may use the task only in a branch that this run skips. */
function isTaskUsed(agent: Agent, template: Template, variables: JsonMap, text: string): boolean {
  if (isTaskInPrompt(agent)) return true
  if (!listUsedVariables(template).some(({ name }) => name === "task")) return false
  const other = renderTemplate(template, { ...variables, task: "another task" })
  return other.type === "failed" || other.text !== text
}

function unsetError({ agent, parent }: MessageBeginning, unset: readonly string[]): StartError {
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
      message: `The template of agent "${agent.name}" uses ${unset.join(", ")}, which ${unset.length === 1 ? "is" : "are"} not set, so nothing is sent. ${ways.join(" ")} To make a variable optional, write \`{{ ${unset[0]} | default("") }}\` in the template.`,
    },
  ])
}

function personsWays(variables: readonly string[], unset: readonly string[]): readonly string[] {
  if (variables.length === 0) return []
  const pronoun = unset.length === 1 ? "it" : "them"
  const which = variables.length === unset.length ? pronoun : variables.join(", ")
  const options = variables.map((name) => `--var ${name}=…`).join(" ")
  const keys = variables.map((name) => `${name}: …`).join(", ")
  const isOfNode = variables.some((name) => (nodeVariables as readonly string[]).includes(name))
  return [
    `Set ${which} with \`${options}\`, or in code with \`runtime.run(…, { variables: { ${keys} } })\`.`,
    ...(isOfNode ? [`A code node sets ${nodeVariables.join(", ")}: \`--node PATH::NAME\`.`] : []),
  ]
}

/** A model that calls the agent may only set the variables in `callVariables`. */
function callersWays({ callVariables = [] }: Agent, variables: readonly string[]): readonly string[] {
  const open = variables.filter((name) => callVariables.includes(name))
  const closed = variables.filter((name) => !open.includes(name))
  return [
    ...(open.length > 0 ? [`Set ${open.join(", ")} with the argument "variables" of the call.`] : []),
    ...(closed.length > 0
      ? [
          `A call may set ${closed.join(", ")} only if the agent's definition lists ${closed.length === 1 ? "it" : "them"} in \`callVariables\`.`,
        ]
      : []),
  ]
}
