import type { Agent } from "../../agent/agent.ts"
import { type AgentWork, getInnerSteps, type MapStep, type PipelineStep } from "../../agent/pipeline.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { checkLast, checkOutputs, checkStepInputs, getRequiredInputs } from "./check-step-inputs.ts"
import {
  checkText,
  checkValue,
  type KnownAgents,
  type PipelineCheck,
  type PipelinePath,
  type Visible,
} from "./check-text.ts"
import { findCircle } from "./circle.ts"
import type { PipelineProblem } from "./problem.ts"
import {
  getResultType,
  getValueType,
  integerType,
  listRecordType,
  makeObjectType,
  noInputs,
  recordType,
  textRecordType,
} from "./record-type.ts"
import { cannotBeList, describeType, getItemType, type Type } from "./schema-type.ts"
import { shapeProblems } from "./shape.ts"

/**
 * Finds everything that can be known to be wrong with an agent's pipeline before it runs. The shape is checked first. Then
 * every name in every text must exist there, and have the keys that the text reads.
 */
export function checkPipeline(agent: Agent, agents?: KnownAgents): readonly PipelineProblem[] {
  const { pipeline } = agent
  if (!pipeline) return []
  const shape = shapeProblems(pipeline.steps)
  if (shape.length > 0) return shape
  const look: PipelineCheck = { agent, agents, problems: [], all: placesOf(pipeline.steps), step: "" }
  if ((agent.workflow ?? null) !== null)
    look.problems.push({
      code: "pipeline-invalid",
      path: ["steps"],
      message:
        "`pipeline` and `workflow` exclude each other: a pipeline has no model that could follow a workflow. Give the workflow to the agents that run its steps.",
    })
  const scope = new Map<string, Type>([
    ["inputs", pipeline.inputs ?? noInputs],
    ["task", textRecordType],
    ["variables", undefined],
  ])
  const afterSteps = checkSteps(pipeline.steps, ["steps"], { names: scope, steps: new Map() }, look)
  const end = { names: scope, steps: afterSteps.steps }
  look.step = ""
  if (pipeline.outputs) checkOutputs(pipeline.outputs, end, look)
  else checkLast(pipeline.steps, afterSteps.last, look)
  return look.problems
}

/** Returns the names that are visible after the steps, and the type of the last result. */
function checkSteps(
  steps: readonly PipelineStep[],
  path: PipelinePath,
  before: Visible,
  look: PipelineCheck,
): Visible & { readonly last: Type } {
  let visible = before
  let last: Type
  for (const [index, step] of steps.entries()) {
    const records = checkStep(step, [...path, index], visible, look)
    last = records.get(step.id)
    visible = { ...visible, steps: new Map([...visible.steps, ...records]) }
  }
  return { ...visible, last }
}

/** The records of the step, and of its inner steps that are visible from outside. */
function checkStep(
  step: PipelineStep,
  path: PipelinePath,
  visible: Visible,
  look: PipelineCheck,
): ReadonlyMap<string, Type> {
  look.step = step.id
  if (step.when !== undefined) checkText("expression", step.when, [...path, "when"], visible, look)
  if ("parallel" in step) {
    const members = step.parallel.map((member, index) =>
      checkStep(member, [...path, "parallel", index], visible, look),
    )
    const values = step.parallel.map(({ id }, index) => [id, getResultType(members[index]!.get(id))] as const)
    return new Map([
      ...members.flatMap((member) => [...member]),
      [step.id, recordType(makeObjectType(values))],
    ])
  }
  if ("map" in step) {
    const item = checkMapped(step, [...path, "map"], visible, look)
    const inner = within(visible, [
      [step.as ?? "item", item],
      ["index", integerType],
    ])
    const itemRecord = step.steps
      ? checkSteps(step.steps, [...path, "steps"], inner, look).last
      : checkHanding(step as AgentWork, path, inner, look)
    return new Map([
      [
        step.id,
        recordType(
          { type: "array", items: getResultType(itemRecord) ?? {} },
          { each: listRecordType(itemRecord) },
        ),
      ],
    ])
  }
  if ("loop" in step) {
    // A round can use all results of the previous round, whatever their order.
    const ids = seenAfter(step.steps).map((id) => [id, {}] as const)
    const inner = within(visible, [
      ["round", integerType],
      ["previous", makeObjectType(ids)],
    ])
    const { last, ...after } = checkSteps(step.steps, [...path, "steps"], inner, look)
    look.step = step.id
    checkText("expression", step.loop.until, [...path, "loop", "until"], after, look)
    return new Map([[step.id, recordType(getValueType(last), { rounds: integerType })]])
  }
  if ("approval" in step) {
    checkText("template", step.approval, [...path, "approval"], visible, look)
    return new Map([[step.id, recordType()]])
  }
  if ("wait" in step) {
    checkWait(step.wait, [...path, "wait"], look)
    return new Map([[step.id, recordType()]])
  }
  return new Map([[step.id, checkHanding(step, path, visible, look)]])
}

function checkMapped({ map }: MapStep, path: PipelinePath, visible: Visible, look: PipelineCheck): Type {
  if (typeof map !== "string") {
    checkValue(map as Json, path, visible, look)
    return undefined
  }
  const only = checkText("expression", map, path, visible, look)
  if (!only || !cannotBeList(only.type)) return getItemType(only?.type)
  look.problems.push({
    code: "pipeline-type",
    path,
    message: `\`map\` needs a list, but \`${map.trim()}\` is ${describeType(only.type)}.`,
  })
  return undefined
}

/** Checks a step that calls an agent. Returns the type of its record. */
function checkHanding(step: AgentWork, path: PipelinePath, visible: Visible, look: PipelineCheck): Type {
  const { agents, agent: own, problems } = look
  const { agent: name, prompt, inputs, variables } = step
  if (prompt !== undefined) checkText("template", prompt, [...path, "prompt"], visible, look)
  if (variables !== undefined) checkValue(variables, [...path, "variables"], visible, look)
  const agent = agents?.find(name)
  if (inputs !== undefined) checkValue(inputs, [...path, "inputs"], visible, look, getRequiredInputs(agent))
  if (agents && !agent)
    problems.push({
      code: "pipeline-agent",
      path: [...path, "agent"],
      message: `There is no agent \`${name}\`, so this step would fail. ${listKnownNames(name, others(agents, own))}`,
    })
  if (agent?.mode !== undefined && agent.mode !== "headless")
    problems.push({
      code: "pipeline-agent",
      path: [...path, "agent"],
      message: `\`${name}\` cannot run a step: its \`mode\` is ${agent.mode}, but a step needs an agent that runs by itself (\`headless\`).`,
    })
  const way = agents && own.recursive !== true ? findCircle(own, name, agents) : undefined
  if (way) problems.push({ code: "pipeline-agent", path: [...path, "agent"], message: circular(own, way) })
  if (agent) checkStepInputs(step, agent, path, look)
  if (!agent || agent.result || agent.pipeline) return recordType(agent?.result ?? {})
  return recordType()
}

const circular = ({ name }: Agent, way: readonly string[]): string =>
  way.length === 1
    ? "The pipeline calls itself. Remove the step, or write `recursive: true` in its definition to allow it."
    : `The pipelines call each other in a circle that only the depth limit would end: ${[name, ...way].map((one) => `\`${one}\``).join(" → ")}. Remove one of these steps, or write \`recursive: true\` in one of them that ends the circle itself.`

const others = (agents: KnownAgents, { name: own }: Agent): readonly string[] =>
  [...agents.names()].filter((name) => name !== own)

function checkWait(wait: number, path: PipelinePath, { agent, problems }: PipelineCheck): void {
  const { timeout = defaultLimits.timeout } = agent.limits
  if (wait >= timeout)
    problems.push({
      code: "pipeline-wait",
      path,
      message: `The step waits ${wait / 1000} s, but the whole run may take only ${timeout / 1000} s, so it would time out. Raise \`limits.timeout\`.`,
    })
}

function placesOf(
  steps: readonly PipelineStep[],
  around: readonly PipelineStep[] = [],
): ReadonlyMap<string, readonly PipelineStep[]> {
  return new Map(
    steps.flatMap((step) => [
      [step.id, around] as const,
      ...placesOf(getInnerSteps(step).steps, [...around, step]),
    ]),
  )
}

const within = ({ names, steps }: Visible, added: readonly (readonly [string, Type])[]): Visible => ({
  names: new Map([...names, ...added]),
  steps,
})

/** The ids of steps that are visible after these steps, including those inside a parallel step. */
const seenAfter = (steps: readonly PipelineStep[]): readonly string[] =>
  steps.flatMap((step) => [step.id, ...("parallel" in step ? seenAfter(step.parallel) : [])])
