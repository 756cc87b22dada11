import { splitToolName } from "../../agent/catalogue/look-up.ts"
import { findVariablesProblem } from "../../agent/variable.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { listGobbyNames } from "../lifecycle/gobby/conditions.ts"
import { listDeclaredVariables } from "../lifecycle/gobby/declared-variables.ts"
import { parseEffectTemplate } from "../lifecycle/read-effects.ts"
import { readStepGates, readWorkflowGates } from "./gobby.ts"
import { readReactions, readWorkflowEntries } from "./read-entries.ts"
import { readWorkflowPart } from "./read-part.ts"
import {
  listItemsWithReading,
  readCondition,
  startReading,
  type WorkflowPlace,
  type WorkflowProblem,
  type WorkflowReading,
} from "./reading.ts"
import type { Allowed, PrematureStop, Transition, Workflow, WorkflowStep } from "./workflow.ts"

export interface ReadWorkflow {
  /** Undefined: the workflow has errors. */
  readonly workflow?: Workflow
  readonly problems: readonly WorkflowProblem[]
}

/** Reads a workflow. Never throws. */
export function readWorkflow(value: Json, place: WorkflowPlace): ReadWorkflow {
  const problems: WorkflowProblem[] = []
  const as = isMap(value) && value.format === "gobby" ? "gobby" : place.as
  const reading = startReading(
    { ...place, as, ...(as === "gobby" && { names: listGobbyNames(listDeclaredVariables(value)) }) },
    (problem) => void problems.push(problem),
  )
  const workflow = workflowOf(value, reading)
  const isSound = problems.every(({ severity }) => severity === "warning")
  return { ...(isSound && workflow && { workflow }), problems }
}

type Values = { readonly [key: string]: Json }

function workflowOf(value: Json, reading: WorkflowReading): Workflow | undefined {
  const values = readWorkflowPart("workflow", value, reading)
  if (!values) return undefined
  const { name = reading.name, description, version, exit_condition, settings } = values
  const written = value as Values
  const variables =
    reading.as === "gobby"
      ? { ...mapOf(written.session_variables), ...mapOf(values.variables) }
      : (values.variables ?? {})
  const wrong = findVariablesProblem(variables)
  if (wrong !== undefined) reading.in("variables").tell({ path: [], message: `${wrong}.` })
  const exitCondition = readCondition(exit_condition, reading.in("exit_condition"))
  const onPrematureStop = stopOf(values.on_premature_stop, reading.in("on_premature_stop"))
  const { premature_stop_max_attempts: rounds = roundsIn(reading, variables) } =
    settings === undefined ? {} : (readWorkflowPart("settings", settings, reading.in("settings")) ?? {})
  return {
    ...(reading.as === "gobby" && { words: "gobby" as const, gates: readWorkflowGates(written, reading) }),
    name: name as string,
    ...(description !== undefined && { description: description as string }),
    ...(version !== undefined && { version: String(version) }),
    variables: variables as Values,
    steps: stepsOf(values.steps, written, reading.in("steps")),
    ...(exitCondition && { exitCondition }),
    ...(onPrematureStop && { onPrematureStop }),
    ...(rounds !== undefined && { rounds: rounds as number }),
    onError: readReactions(values.on_error, reading.in("on_error")),
  }
}

/** The most rounds, which Gobby's files have among the variables. */
function roundsIn({ as }: WorkflowReading, variables: Json): Json | undefined {
  const rounds = as === "gobby" ? mapOf(variables).premature_stop_max_attempts : undefined
  return typeof rounds === "number" && rounds >= 1 && Number.isInteger(rounds) ? rounds : undefined
}

function stepsOf(
  value: Json | undefined,
  workflow: Values,
  reading: WorkflowReading,
): readonly WorkflowStep[] {
  const written = Array.isArray(value) ? (value as readonly Json[]) : []
  if (Array.isArray(value) && value.length === 0)
    reading.tell({ path: [], message: "a workflow needs at least one step." })
  const names = written.flatMap((step) => (isMap(step) && typeof step.name === "string" ? [step.name] : []))
  return written.flatMap((step, index) => {
    const read = stepOf(step, names, workflow, reading.in(index))
    if (read && names.indexOf(read.name) < index && names.filter((name) => name === read.name).length > 1)
      reading.in(index, "name").tell({
        path: [],
        code: "step-duplicate",
        message: `There are two steps named ${JSON.stringify(read.name)}: it is unclear which one a transition means. Give each its own name.`,
      })
    return read ? [read] : []
  })
}

function stepOf(
  value: Json,
  names: readonly string[],
  workflow: Values,
  reading: WorkflowReading,
): WorkflowStep | undefined {
  const values = readWorkflowPart("step", value, reading)
  if (!values) return undefined
  const { on_premature_stop } = value as Values
  const onPrematureStop = stopOf(on_premature_stop ?? undefined, reading.in("on_premature_stop"))
  const { name, description, status_message } = values
  const statusMessage =
    status_message === undefined
      ? undefined
      : parseEffectTemplate(status_message, reading.in("status_message").tell, reading.names)
  const exitWhen = readCondition(values.exit_when, reading.in("exit_when"))
  for (const key of ["allowed_tools", "blocked_tools"]) reportArguments(values[key], reading.in(key))
  for (const key of ["allowed_mcp_tools", "blocked_mcp_tools"]) reportServerless(values[key], reading.in(key))
  const allowedMcpTools = values.allowed_mcp_tools as Allowed | undefined
  return {
    ...(reading.as === "gobby" && { gates: readStepGates(value as Values, workflow, reading) }),
    ...(onPrematureStop && { onPrematureStop }),
    name: String(name),
    ...(description !== undefined && { description: description as string }),
    ...(statusMessage && { statusMessage }),
    allowedTools: (values.allowed_tools ?? "all") as Allowed,
    blockedTools: (values.blocked_tools ?? []) as readonly string[],
    ...(allowedMcpTools && { allowedMcpTools }),
    blockedMcpTools: (values.blocked_mcp_tools ?? []) as readonly string[],
    onEnter: readWorkflowEntries(values.on_enter, reading.in("on_enter")),
    onExit: readWorkflowEntries(values.on_exit, reading.in("on_exit")),
    onSuccess: readReactions(values.on_success, reading.in("on_success")),
    onError: readReactions(values.on_error, reading.in("on_error")),
    onMcpSuccess: readReactions(values.on_mcp_success, reading.in("on_mcp_success")),
    onMcpError: readReactions(values.on_mcp_error, reading.in("on_mcp_error")),
    transitions: transitionsOf(values.transitions, names, reading.in("transitions")),
    ...(exitWhen && { exitWhen }),
  }
}

/** Reports tools with arguments. A step judges only the tool of a call; rules and hooks judge its arguments. */
function reportArguments(names: Json | undefined, reading: WorkflowReading): void {
  if (!Array.isArray(names)) return
  for (const [index, name] of names.entries())
    if (splitToolName(String(name)).argument !== undefined)
      reading.in(index).tell({
        path: [],
        message: `${JSON.stringify(name)} has an argument, which a step ignores. Write only the name of the tool, and use a rule or a hook for its arguments.`,
      })
}

/** Reports MCP tools without a server. Such an entry would match nothing and block nothing. */
function reportServerless(names: Json | undefined, reading: WorkflowReading): void {
  if (!Array.isArray(names)) return
  for (const [index, name] of names.entries())
    if (!/^(?:[^:]+:.+|mcp__.+|\*)$/.test(String(name)))
      reading.in(index).tell({
        path: [],
        message: `${JSON.stringify(name)} is not a tool of an MCP server. Write it as \`server:tool\`, or \`server:*\` for all tools of a server.`,
      })
}

function transitionsOf(
  value: Json | undefined,
  names: readonly string[],
  reading: WorkflowReading,
): readonly Transition[] {
  return listItemsWithReading(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readWorkflowPart("transition", written, here)
    if (!values) return []
    const to = String(values.to)
    if (typeof values.to === "string" && !names.includes(to))
      here.in("to").tell({
        path: [],
        code: "step-unknown",
        message: `There is no step ${JSON.stringify(to)} to go to. ${listKnownNames(to, names)}`,
      })
    const when = readCondition(values.when, here.in("when"))
    return [
      {
        to,
        ...(when && { when }),
        onTransition: readWorkflowEntries(values.on_transition, here.in("on_transition")),
      },
    ]
  })
}

function stopOf(value: Json | undefined, reading: WorkflowReading): PrematureStop | undefined {
  if (value === undefined) return undefined
  const values = readWorkflowPart("stop", typeof value === "string" ? { message: value } : value, reading)
  if (!values) return undefined
  const message =
    values.message === undefined
      ? undefined
      : parseEffectTemplate(values.message, reading.in("message").tell, reading.names)
  const condition = readCondition(values.condition, reading.in("condition"))
  return {
    action: values.action === "warn" ? "warn" : "continue",
    ...(message && { message }),
    ...(condition && { condition }),
  }
}

/** The format of an agent's workflow. */
export const getWorkflowFormat = ({
  origin,
}: {
  readonly origin: { readonly format: string }
}): WorkflowPlace["as"] => (origin.format === "gobby" ? "gobby" : "cadre")

/** True if an agent contains its workflow, and does not only name one. */
export const containsWorkflow = ({ workflow = null }: { readonly workflow?: Json }): boolean =>
  workflow !== null && typeof workflow !== "string"
