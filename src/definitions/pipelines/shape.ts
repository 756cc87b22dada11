import { isAgentName } from "../../agent/agent.ts"
import { getStepKind, innerNames, pipelineNames, type StepKind, stepKinds } from "../../agent/pipeline.ts"
import { findUnknownKeyProblems } from "../../ground/known-keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { PipelineProblem } from "./problem.ts"

type Path = PipelineProblem["path"]

/** The deepest nesting of steps. */
const deepest = 10
const mostRounds = 1_000

/** Finds problems in the shape of steps: keys, types, names and loops without a limit. Other checks need a valid shape. */
export function shapeProblems(steps: unknown): readonly PipelineProblem[] {
  const problems: PipelineProblem[] = []
  const ids = new Set<string>()
  stepsProblems(steps as Json | undefined, ["steps"], 1, { problems, ids })
  return problems
}

interface Look {
  readonly problems: PipelineProblem[]
  readonly ids: Set<string>
}

function stepsProblems(steps: Json | undefined, path: Path, depth: number, look: Look): void {
  if (!Array.isArray(steps) || steps.length === 0)
    return tell(look, path, "must be a list of at least one step")
  if (depth > deepest) return tell(look, path, `has steps nested more than ${deepest} levels deep`)
  for (const [index, step] of steps.entries()) stepProblems(step, [...path, index], depth, look)
}

function stepProblems(step: Json, path: Path, depth: number, look: Look): void {
  if (!isMap(step)) return tell(look, path, "must be a step: keys and values, with an `id`")
  const kinds = stepKinds.filter((kind) => kind in step)
  if (kinds.length > 1)
    return tell(
      look,
      path,
      `is ${kinds.map((kind) => `\`${kind}\``).join(" and ")} at the same time. Make two steps of it`,
    )
  const kind = getStepKind(step)
  if (kind === "agent" && !("agent" in step))
    tell(look, path, `does nothing. A step needs one of agent, ${stepKinds.join(", ")}`)
  idProblem(step.id, path, look)
  for (const [key, value] of Object.entries(step)) {
    const expected = keysOf(kind).has(key) ? values[key]?.(value) : undefined
    if (!keysOf(kind).has(key)) {
      const say = () =>
        `\`${key}\` is not a key of a step ${kind === "agent" ? "for an agent" : `of the kind ${kind}`}`
      for (const problem of findUnknownKeyProblems([key], [...keysOf(kind)], say, path))
        look.problems.push({ code: "pipeline-invalid", ...problem })
    } else if (expected !== undefined) tell(look, [...path, key], `must be ${expected}`)
  }
  innerProblems(step, kind, path, depth, look)
}

function innerProblems(step: JsonMap, kind: StepKind, path: Path, depth: number, look: Look): void {
  const { agent, prompt, inputs, steps, loop } = step
  if (kind === "parallel") return stepsProblems(step.parallel, [...path, "parallel"], depth + 1, look)
  if (kind === "loop") loopProblems(loop!, [...path, "loop"], look)
  const isHanding = kind === "agent" || (kind === "map" && (agent !== undefined || steps === undefined))
  if (kind === "map" && agent !== undefined && steps !== undefined)
    return tell(look, path, "has an `agent` and `steps`. Keep the one that runs for each item")
  if (kind === "map" && isHanding && agent === undefined)
    return tell(look, path, "does nothing. A map needs an `agent` with its `prompt`, or `steps`")
  if (isHanding && agent !== undefined && (prompt === undefined) === (inputs === undefined))
    tell(
      look,
      path,
      prompt === undefined ? "has no `prompt`" : "has a `prompt` and `inputs`. Keep one of the two",
    )
  if (kind === "loop" || (kind === "map" && steps !== undefined))
    stepsProblems(steps, [...path, "steps"], depth + 1, look)
}

function loopProblems(loop: Json, path: Path, look: Look): void {
  if (!isMap(loop)) return tell(look, path, "must be `{until: EXPRESSION, max: NUMBER}`")
  for (const { path: place, message } of findUnknownKeyProblems(
    Object.keys(loop),
    ["until", "max"],
    () => "is not a key of a loop",
    path,
  ))
    tell(look, place, message)
  if (!isText(loop.until))
    tell(look, [...path, "until"], "must be an expression that ends the loop when it is true")
  const { max } = loop
  if (!(Number.isInteger(max) && Number(max) > 0 && Number(max) <= mostRounds))
    look.problems.push({
      code: "pipeline-unbounded",
      path: max === undefined ? path : [...path, "max"],
      message: `The loop has no limit: \`max\` must be a whole number from 1 to ${mostRounds}. The loop ends after that many rounds.`,
    })
}

function idProblem(id: Json | undefined, path: Path, look: Look): void {
  if (id === undefined) return tell(look, path, "has no `id`, which later steps need to use its result")
  if (!isName(id))
    return tell(
      look,
      [...path, "id"],
      "must be a letter or `_` and then letters, digits and `_`, because it is written as `steps.ID`",
    )
  if (look.ids.has(id))
    look.problems.push({
      code: "pipeline-duplicate",
      path: [...path, "id"],
      message: `There are two steps \`${id}\`, so it is unclear which one \`steps.${id}\` means. Give each step its own id.`,
    })
  look.ids.add(id)
}

const tell = ({ problems }: Look, path: Path, message: string): void => {
  problems.push({
    code: "pipeline-invalid",
    path,
    message: `${placeText(path)} ${message.replace(/\.$/, "")}.`,
  })
}

/** The place as the author would name it, such as `pipeline[1].prompt`. */
const placeText = ([, ...path]: Path): string =>
  `\`pipeline${path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("")}\``

const timeExpected = "a time above 0: in a file seconds, or such as 500ms, 30s, 5m, 1h"
const common = ["id", "when", "on_error"]
const handing = ["agent", "prompt", "inputs", "model", "timeout", "variables"]

const keys: Readonly<Record<StepKind, ReadonlySet<string>>> = {
  agent: new Set([...common, ...handing]),
  parallel: new Set([...common, "parallel"]),
  map: new Set([...common, "map", "as", "at_once", "steps", ...handing]),
  loop: new Set([...common, "loop", "steps"]),
  approval: new Set([...common, "approval", "timeout"]),
  wait: new Set([...common, "wait"]),
}

const keysOf = (kind: StepKind): ReadonlySet<string> => keys[kind]

/** By key: the description of a valid value. Undefined: the value is valid. */
const values: Readonly<Record<string, (value: Json) => string | undefined>> = {
  when: (value) => (isText(value) ? undefined : "an expression in a text"),
  on_error: (value) => (value === "continue" ? undefined : "`continue`, or left out"),
  agent: (value) => (isAgentName(value) ? undefined : "the name of an agent"),
  prompt: (value) => (isText(value) ? undefined : "a text that is not empty"),
  inputs: (value) => (isMap(value) ? undefined : "keys and values"),
  model: (value) => (isText(value) ? undefined : "the name of a model"),
  timeout: (value) => (isTime(value) ? undefined : timeExpected),
  variables: (value) => (isMap(value) ? undefined : "keys and values"),
  map: (value) => (isText(value) || Array.isArray(value) ? undefined : "a list, or an expression for one"),
  as: (value) =>
    isName(value) && ![...pipelineNames, ...innerNames].includes(value as never)
      ? undefined
      : `a name of its own: letters, digits and \`_\`, and none of ${[...pipelineNames, ...innerNames].join(", ")}`,
  at_once: (value) => (Number.isInteger(value) && Number(value) > 0 ? undefined : "a whole number above 0"),
  approval: (value) => (isText(value) ? undefined : "a text: the question for the person"),
  wait: (value) => (isTime(value) ? undefined : timeExpected),
}

const isText = (value: Json | undefined): value is string => typeof value === "string" && value.trim() !== ""
const isName = (value: Json): value is string =>
  typeof value === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value)
const isTime = (value: Json): boolean => typeof value === "number" && Number.isFinite(value) && value > 0
