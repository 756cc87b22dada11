import type { Agent } from "../../agent/agent.ts"
import { type Handing, type MapStep, type PipelineStep, stepsIn } from "../../agent/pipeline.ts"
import { knownNames } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { checkGiven, checkLast, checkOutputs, takenBy } from "./check-given.ts"
import { checkText, checkValue, type KnownAgents, type Look, type Path, type Visible } from "./check-text.ts"
import { wayTo } from "./circle.ts"
import type { PipelineProblem } from "./problem.ts"
import { integer, listOf, noInputs, objectOf, record, resultType, text, valueType } from "./record-type.ts"
import { cannotBeList, describeType, itemOf, type Type } from "./schema-type.ts"
import { shapeProblems } from "./shape.ts"

/**
 * Everything that can be known to be wrong with an agent's pipeline before it runs: its shape, then whether every name in
 * every text means something there, and has what is looked up in it.
 */
export function checkPipeline(agent: Agent, agents?: KnownAgents): readonly PipelineProblem[] {
  const { pipeline } = agent
  if (!pipeline) return []
  const shape = shapeProblems(pipeline.steps)
  if (shape.length > 0) return shape
  const look: Look = { agent, agents, found: [], all: placesOf(pipeline.steps), step: "" }
  if ((agent.workflow ?? null) !== null)
    look.found.push({
      code: "pipeline-invalid",
      path: ["steps"],
      message:
        "`pipeline` and `workflow` are two ways to say what a run does, and a pipeline has no model to go through a workflow. Give the workflow to the agents that do its steps.",
    })
  const scope = new Map<string, Type>([
    ["inputs", pipeline.inputs ?? noInputs],
    ["task", text],
    ["variables", undefined],
  ])
  const given = checkSteps(pipeline.steps, ["steps"], { names: scope, steps: new Map() }, look)
  const end = { names: scope, steps: given.steps }
  look.step = ""
  if (pipeline.outputs) checkOutputs(pipeline.outputs, end, look)
  else checkLast(pipeline.steps, given.last, look)
  return look.found
}

/** Gives what can be seen after them, and what the last of them gives. */
function checkSteps(
  steps: readonly PipelineStep[],
  path: Path,
  before: Visible,
  look: Look,
): Visible & { readonly last: Type } {
  let visible = before
  let last: Type
  for (const [index, step] of steps.entries()) {
    const given = checkStep(step, [...path, index], visible, look)
    last = given.get(step.id)
    visible = { ...visible, steps: new Map([...visible.steps, ...given]) }
  }
  return { ...visible, last }
}

/** The records of the step, and of steps in it that can be seen from outside. */
function checkStep(step: PipelineStep, path: Path, visible: Visible, look: Look): ReadonlyMap<string, Type> {
  look.step = step.id
  if (step.when !== undefined) checkText("expression", step.when, [...path, "when"], visible, look)
  if ("parallel" in step) {
    const members = step.parallel.map((member, index) =>
      checkStep(member, [...path, "parallel", index], visible, look),
    )
    const values = step.parallel.map(({ id }, index) => [id, resultType(members[index]!.get(id))] as const)
    return new Map([...members.flatMap((member) => [...member]), [step.id, record(objectOf(values))]])
  }
  if ("map" in step) {
    const item = checkMapped(step, [...path, "map"], visible, look)
    const inner = within(visible, [
      [step.as ?? "item", item],
      ["index", integer],
    ])
    const given = step.steps
      ? checkSteps(step.steps, [...path, "steps"], inner, look).last
      : checkHanding(step as Handing, path, inner, look)
    return new Map([
      [step.id, record({ type: "array", items: resultType(given) ?? {} }, { each: listOf(given) })],
    ])
  }
  if ("loop" in step) {
    // What a round gives is known in the next one, whatever comes first.
    const ids = seenAfter(step.steps).map((id) => [id, {}] as const)
    const inner = within(visible, [
      ["round", integer],
      ["previous", objectOf(ids)],
    ])
    const { last, ...after } = checkSteps(step.steps, [...path, "steps"], inner, look)
    look.step = step.id
    checkText("expression", step.loop.until, [...path, "loop", "until"], after, look)
    return new Map([[step.id, record(valueType(last), { rounds: integer })]])
  }
  if ("approval" in step) {
    checkText("template", step.approval, [...path, "approval"], visible, look)
    return new Map([[step.id, record()]])
  }
  if ("wait" in step) {
    checkWait(step.wait, [...path, "wait"], look)
    return new Map([[step.id, record()]])
  }
  return new Map([[step.id, checkHanding(step, path, visible, look)]])
}

function checkMapped({ map }: MapStep, path: Path, visible: Visible, look: Look): Type {
  if (typeof map !== "string") {
    checkValue(map as Json, path, visible, look)
    return undefined
  }
  const only = checkText("expression", map, path, visible, look)
  if (!only || !cannotBeList(only.type)) return itemOf(only?.type)
  look.found.push({
    code: "pipeline-type",
    path,
    message: `\`map\` goes over a list, but \`${map.trim()}\` is ${describeType(only.type)}.`,
  })
  return undefined
}

/** What a run of the agent is recorded as. */
function checkHanding(step: Handing, path: Path, visible: Visible, look: Look): Type {
  const { agents, agent: own, found } = look
  const { agent: name, prompt, inputs, variables } = step
  if (prompt !== undefined) checkText("template", prompt, [...path, "prompt"], visible, look)
  if (variables !== undefined) checkValue(variables, [...path, "variables"], visible, look)
  const agent = agents?.find(name)
  if (inputs !== undefined) checkValue(inputs, [...path, "inputs"], visible, look, takenBy(agent))
  if (agents && !agent)
    found.push({
      code: "pipeline-agent",
      path: [...path, "agent"],
      message: `There is no agent \`${name}\`, so this step could only fail. ${knownNames(name, others(agents, own))}`,
    })
  if (agent?.mode !== undefined && agent.mode !== "headless")
    found.push({
      code: "pipeline-agent",
      path: [...path, "agent"],
      message: `\`${name}\` cannot do a step: its \`mode\` is ${agent.mode}, and a step is a run of its own (\`headless\`).`,
    })
  const way = agents && own.recursive !== true ? wayTo(own, name, agents) : undefined
  if (way) found.push({ code: "pipeline-agent", path: [...path, "agent"], message: circular(own, way) })
  if (agent) checkGiven(step, agent, path, look)
  if (!agent || agent.result || agent.pipeline) return record(agent?.result ?? {})
  return record()
}

const circular = ({ name }: Agent, way: readonly string[]): string =>
  way.length === 1
    ? "The pipeline hands work to itself, which its definition does not allow (`recursive: true`)."
    : `The pipelines hand work to each other in a circle that only the depth limit would end: ${[name, ...way].map((one) => `\`${one}\``).join(" → ")}. Take one of these steps out, or say \`recursive: true\` in one of them that sees to its end.`

const others = (agents: KnownAgents, { name: own }: Agent): readonly string[] =>
  [...agents.names()].filter((name) => name !== own)

function checkWait(wait: number, path: Path, { agent, found }: Look): void {
  const { timeout = defaultLimits.timeout } = agent.limits
  if (wait >= timeout)
    found.push({
      code: "pipeline-wait",
      path,
      message: `The step waits ${wait / 1000} s, but the run may take ${timeout / 1000} s in all, so it would time out. Raise \`limits.timeout\`.`,
    })
}

function placesOf(
  steps: readonly PipelineStep[],
  around: readonly PipelineStep[] = [],
): ReadonlyMap<string, readonly PipelineStep[]> {
  return new Map(
    steps.flatMap((step) => [
      [step.id, around] as const,
      ...placesOf(stepsIn(step).steps, [...around, step]),
    ]),
  )
}

const within = ({ names, steps }: Visible, added: readonly (readonly [string, Type])[]): Visible => ({
  names: new Map([...names, ...added]),
  steps,
})

/** The ids of steps that can be seen behind them: those of a parallel step, too. */
const seenAfter = (steps: readonly PipelineStep[]): readonly string[] =>
  steps.flatMap((step) => [step.id, ...("parallel" in step ? seenAfter(step.parallel) : [])])
