import { splitToolName } from "../../agent/catalogue/look-up.ts"
import { variablesProblem } from "../../agent/variable.ts"
import { knownNames } from "../../ground/errors.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { fitValue } from "../formats/fields/field.ts"
import { type WorkflowPart, workflowParts } from "../formats/workflow-keys.ts"
import { declaredVariables } from "../lifecycle/gobby/declared.ts"
import { gobbyNames, readGobbyWhen } from "../lifecycle/gobby/words.ts"
import type { HookProblem } from "../lifecycle/hook.ts"
import { templateOf } from "../lifecycle/read-effects.ts"
import { readWhen } from "../lifecycle/when.ts"
import { gatesOf, gobbyKeys, stepGates } from "./gobby.ts"
import { readEntries, readReactions } from "./read-entries.ts"
import type { Allowed, PrematureStop, Step, Transition, Workflow } from "./workflow.ts"

/** Something that is wrong with a workflow. What is only a warning keeps nothing from being followed. */
export interface WorkflowProblem extends HookProblem {
  readonly code:
    | "workflow-invalid"
    | "step-unknown"
    | "step-duplicate"
    | "workflow-unheard"
    /** It is understood, and something that it forbids cannot be followed here. */
    | "workflow-foreign"
  readonly severity: "error" | "warning"
}

export interface ReadWorkflow {
  /** Undefined where it cannot be followed. */
  readonly workflow?: Workflow
  readonly problems: readonly WorkflowProblem[]
}

export interface WorkflowPlace {
  /** What it is called where it does not say so itself. */
  readonly name: string
  /** Gobby's own files say some of it otherwise, and more: of that, what forbids nothing is passed over. */
  readonly as: "cadre" | "gobby"
}

/** Reads a workflow. Never throws. */
export function readWorkflow(value: Json, place: WorkflowPlace): ReadWorkflow {
  const problems: WorkflowProblem[] = []
  const as = isMap(value) && value.format === "gobby" ? "gobby" : place.as
  const reading = readingOf(
    { ...place, as, ...(as === "gobby" && { names: gobbyNames(declaredVariables(value)) }) },
    (problem) => void problems.push(problem),
  )
  const workflow = workflowOf(value, reading)
  const isSound = problems.every(({ severity }) => severity === "warning")
  return { ...(isSound && workflow && { workflow }), problems }
}

/** One place in a workflow that is being read. */
export interface Reading extends Words {
  tell(problem: HookProblem & Partial<WorkflowProblem>): void
  /** The same, further in. */
  in(...path: HookProblem["path"]): Reading
}

interface Words extends WorkflowPlace {
  /** Of Gobby's: the names that its conditions and texts can use. */
  readonly names?: readonly string[]
}

const readingOf = (place: Words, report: (problem: WorkflowProblem) => void): Reading => ({
  ...place,
  tell: (problem) => report({ code: "workflow-invalid", severity: "error", ...problem }),
  in: (...path) => readingOf(place, (problem) => report({ ...problem, path: [...path, ...problem.path] })),
})

type Values = { readonly [key: string]: Json }

function workflowOf(value: Json, reading: Reading): Workflow | undefined {
  const values = readPart("workflow", value, reading)
  if (!values) return undefined
  const { name = reading.name, description, version, exit_condition, settings } = values
  const written = value as Values
  const variables =
    reading.as === "gobby"
      ? { ...mapOf(written.session_variables), ...mapOf(values.variables) }
      : (values.variables ?? {})
  const wrong = variablesProblem(variables)
  if (wrong !== undefined) reading.in("variables").tell({ path: [], message: `${wrong}.` })
  const exitCondition = conditionOf(exit_condition, reading.in("exit_condition"))
  const onPrematureStop = stopOf(values.on_premature_stop, reading.in("on_premature_stop"))
  const { premature_stop_max_attempts: rounds = roundsIn(reading, variables) } =
    settings === undefined ? {} : (readPart("settings", settings, reading.in("settings")) ?? {})
  return {
    ...(reading.as === "gobby" && { words: "gobby" as const, gates: gatesOf(written, reading) }),
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

/** Gobby has it among the variables. */
function roundsIn({ as }: Reading, variables: Json): Json | undefined {
  const rounds = as === "gobby" ? mapOf(variables).premature_stop_max_attempts : undefined
  return typeof rounds === "number" && rounds >= 1 && Number.isInteger(rounds) ? rounds : undefined
}

function stepsOf(value: Json | undefined, workflow: Values, reading: Reading): readonly Step[] {
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
        message: `There are two steps named ${JSON.stringify(read.name)}: which of them a transition means could not be told. Give each its own name.`,
      })
    return read ? [read] : []
  })
}

function stepOf(value: Json, names: readonly string[], workflow: Values, reading: Reading): Step | undefined {
  const values = readPart("step", value, reading)
  if (!values) return undefined
  const { on_premature_stop } = value as Values
  const onPrematureStop = stopOf(on_premature_stop ?? undefined, reading.in("on_premature_stop"))
  const { name, description, status_message } = values
  const statusMessage =
    status_message === undefined
      ? undefined
      : templateOf(status_message, reading.in("status_message").tell, reading.names)
  const exitWhen = conditionOf(values.exit_when, reading.in("exit_when"))
  for (const key of ["allowed_tools", "blocked_tools"]) reportArguments(values[key], reading.in(key))
  for (const key of ["allowed_mcp_tools", "blocked_mcp_tools"]) reportServerless(values[key], reading.in(key))
  const allowedMcpTools = values.allowed_mcp_tools as Allowed | undefined
  return {
    ...(reading.as === "gobby" && { gates: stepGates(value as Values, workflow, reading) }),
    ...(onPrematureStop && { onPrematureStop }),
    name: String(name),
    ...(description !== undefined && { description: description as string }),
    ...(statusMessage && { statusMessage }),
    allowedTools: (values.allowed_tools ?? "all") as Allowed,
    blockedTools: (values.blocked_tools ?? []) as readonly string[],
    ...(allowedMcpTools && { allowedMcpTools }),
    blockedMcpTools: (values.blocked_mcp_tools ?? []) as readonly string[],
    onEnter: readEntries(values.on_enter, reading.in("on_enter")),
    onExit: readEntries(values.on_exit, reading.in("on_exit")),
    onSuccess: readReactions(values.on_success, reading.in("on_success")),
    onError: readReactions(values.on_error, reading.in("on_error")),
    onMcpSuccess: readReactions(values.on_mcp_success, reading.in("on_mcp_success")),
    onMcpError: readReactions(values.on_mcp_error, reading.in("on_mcp_error")),
    transitions: transitionsOf(values.transitions, names, reading.in("transitions")),
    ...(exitWhen && { exitWhen }),
  }
}

/** Rules judge what a call does; a step, only which tool it is of. */
function reportArguments(names: Json | undefined, reading: Reading): void {
  if (!Array.isArray(names)) return
  for (const [index, name] of names.entries())
    if (splitToolName(String(name)).argument !== undefined)
      reading.in(index).tell({
        path: [],
        message: `${JSON.stringify(name)} has an argument, which a step does not look at. Name the tool alone, and write a rule or a hook for what it does.`,
      })
}

/** What names no server would stand for nothing, and block nothing. */
function reportServerless(names: Json | undefined, reading: Reading): void {
  if (!Array.isArray(names)) return
  for (const [index, name] of names.entries())
    if (!/^(?:[^:]+:.+|mcp__.+|\*)$/.test(String(name)))
      reading.in(index).tell({
        path: [],
        message: `${JSON.stringify(name)} names no tool of an MCP server. Write it as \`server:tool\`, or \`server:*\` for all of a server.`,
      })
}

function transitionsOf(
  value: Json | undefined,
  names: readonly string[],
  reading: Reading,
): readonly Transition[] {
  return placesOf(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readPart("transition", written, here)
    if (!values) return []
    const to = String(values.to)
    if (typeof values.to === "string" && !names.includes(to))
      here.in("to").tell({
        path: [],
        code: "step-unknown",
        message: `There is no step ${JSON.stringify(to)} to go to. ${knownNames(to, names)}`,
      })
    const when = conditionOf(values.when, here.in("when"))
    return [
      {
        to,
        ...(when && { when }),
        onTransition: readEntries(values.on_transition, here.in("on_transition")),
      },
    ]
  })
}

function stopOf(value: Json | undefined, reading: Reading): PrematureStop | undefined {
  if (value === undefined) return undefined
  const values = readPart("stop", typeof value === "string" ? { message: value } : value, reading)
  if (!values) return undefined
  const message =
    values.message === undefined
      ? undefined
      : templateOf(values.message, reading.in("message").tell, reading.names)
  const condition = conditionOf(values.condition, reading.in("condition"))
  return {
    action: values.action === "warn" ? "warn" : "continue",
    ...(message && { message }),
    ...(condition && { condition }),
  }
}

/** What a condition says; undefined where there is none, or none that can be read. */
export function conditionOf(value: Json | undefined, reading: Reading): Transition["when"] {
  if (typeof value !== "string") return undefined
  const read = reading.names ? readGobbyWhen(value, reading.names) : readWhen(value)
  if ("problems" in read) {
    for (const { message, offset } of read.problems) reading.tell({ path: [], message, offset })
    return undefined
  }
  // As in Gobby, what is nobody's keeps a step as it is.
  for (const { message, offset } of read.unknown) reading.tell({ path: [], message, offset, ...unheard })
  return read.condition
}

/** One thing, or each of a list of them. */
export function placesOf(
  value: Json | undefined,
  reading: Reading,
): readonly { readonly value: Json; readonly reading: Reading }[] {
  if (value === undefined) return []
  return Array.isArray(value)
    ? value.map((entry: Json, index) => ({ value: entry, reading: reading.in(index) }))
    : [{ value, reading }]
}

/** What forbids, or ends something, in Gobby's files and is not followed here: passing it over would allow more than they say. */
const refusedKeys: Readonly<Record<string, string>> = {
  exit_conditions: "Write it as `exit_when`",
  on_mcp_before: "Write it as a hook at `before_tool`, with `step` in its condition",
}

const unheard = { code: "workflow-unheard", severity: "warning" } as const

/** What else a file of Gobby's may be. */
export const otherTypes: Readonly<Record<string, string>> = {
  lifecycle: "this is a set of hooks, and no workflow: an agent picks it with `lifecycle`.",
  pipeline: "this is a pipeline, which is run by itself, and no workflow of an agent.",
}

const nouns: Readonly<Record<WorkflowPart, string>> = {
  workflow: "a workflow",
  step: "a step",
  transition: "a transition",
  entry: "what happens",
  reaction: "what happens after a call",
  stop: "`on_premature_stop`",
  settings: "`settings`",
}

/** The values of a part as its keys take them; null is the same as left out, where that allows no more. What is wrong is told. */
export function readPart(part: WorkflowPart, value: Json, reading: Reading): Values | undefined {
  if (!isMap(value)) {
    reading.tell({ path: [], message: `${nouns[part]} must be keys and values.` })
    return undefined
  }
  const keys = workflowParts[part]
  const found: Record<string, Json> = {}
  for (const { key, type, required, narrows } of keys) {
    const given = narrows ? value[key] : (value[key] ?? undefined)
    if (given === undefined) {
      if (required) reading.tell({ path: [], message: `${nouns[part]} needs \`${key}\`.` })
      continue
    }
    const fit = fitValue(type, given)
    if ("value" in fit) found[key] = fit.value
    else
      reading.tell({
        path: [key],
        message: (key === "type" && otherTypes[String(given)]) || `\`${key}\` must be ${fit.expected}.`,
      })
  }
  // Whatever else stands in these is an effect, and read as one.
  if (part === "entry" || part === "reaction") return found
  const known = [...keys.map(({ key }) => key), ...(reading.as === "gobby" ? (gobbyKeys[part] ?? []) : [])]
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const instead = part === "step" ? refusedKeys[key] : undefined
    if (instead !== undefined)
      reading.tell({
        path: [key],
        about: "key",
        code: "workflow-foreign",
        message: `\`${key}\` of a step is not followed here. ${instead}.`,
      })
    else
      reading.tell({
        path: [key],
        about: "key",
        message: `\`${key}\` is no key of ${nouns[part]}. ${knownNames(key, known)}`,
        // Gobby takes any setting, and none forbids anything.
        ...(reading.as === "gobby" && part === "settings" && unheard),
      })
  }
  return found
}

/** In whose words the workflow of an agent is written. */
export const writtenAs = ({
  origin,
}: {
  readonly origin: { readonly format: string }
}): WorkflowPlace["as"] => (origin.format === "gobby" ? "gobby" : "cadre")

/** Whether an agent's workflow is one, and not the name of one. What it is, reading tells. */
export const isWrittenOut = ({ workflow = null }: { readonly workflow?: Json }): boolean =>
  workflow !== null && typeof workflow !== "string"
