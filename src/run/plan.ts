import type { Agent } from "../agent/agent.ts"
import { StartError } from "../ground/errors.ts"
import type { Json } from "../ground/message.ts"
import { accessesOf } from "./accesses.ts"
import type { Beginning } from "./beginning.ts"
import { now } from "./clock.ts"
import type { Drive } from "./drive-view.ts"
import type { Environment } from "./environment.ts"
import type { AskedCall, PlannedEnd } from "./event.ts"
import { inspectCalls } from "./inspect.ts"
import { unknownAgent } from "./look-up-agent.ts"
import type { Binding, Plan, PlannedCall, PlannedCaller, PlannedStart, Planner } from "./planner.ts"
import { refusalOf } from "./refusal.ts"

/** Which `decide` drives the runs of an agent. */
export function kindOf({ pipeline, executor }: Agent): string {
  if (executor !== undefined) return "command"
  return pipeline === undefined ? "agent" : "pipeline"
}

/** What is to be told of a run of this kind. Throws a CadreError where it could not start here. */
export async function checkKind(
  environment: Pick<Environment, "planners" | "agents">,
  agent: Agent,
  task: string,
  { continues, model }: Pick<Beginning, "continues" | "model">,
  binding: Binding & Pick<PlannedCaller, "maxSpawns" | "variables">,
): Promise<PlannedStart> {
  const kind = kindOf(agent)
  if (kind === "agent") return {}
  if (continues !== undefined)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "call",
        message: `Agent "${agent.name}" cannot continue run ${continues}: it is a ${kind} and has no history to go on with. Start it anew.`,
      },
    ])
  const call = { ...binding, ...(typeof model === "string" && { model }) }
  return (await plannerOf(environment, kind).begin?.(agent, task, environment.agents, call)) ?? {}
}

/** Asks the planner and records what it says, its calls numbered and checked like those of a model. */
export async function plan(drive: Drive): Promise<void> {
  const { state, definition, environment, recorder } = drive
  const planned = await plannerOf(environment, state.start!.kind).plan(definition, state)
  const calls =
    planned.type === "calls"
      ? await Promise.all(
          // One too many is enough to meet the limit.
          planned.calls
            .slice(0, state.start!.limits.maxToolCalls - state.callCount + 1)
            .map((call, index) => asked(drive, call, state.callCount + 1 + index)),
        )
      : []
  if (drive.stopped) return
  await recorder.record({
    type: "plan-end",
    after: state.plan!.results.length,
    ...(calls.length > 0 && { calls }),
    ...(planned.type === "end" && { end: endOf(planned) }),
  })
}

/** Why a call that a planner wanted may not begin any more; what a hook made of it counts, too. */
export const outdated = async (
  { state, definition, environment }: Drive,
  input: unknown,
): Promise<string | undefined> =>
  state.start!.kind === "agent"
    ? undefined
    : plannerOf(environment, state.start!.kind).outdated?.(definition, state, input)

function plannerOf({ planners }: Pick<Environment, "planners">, kind: string): Planner {
  if (planners && Object.hasOwn(planners, kind)) return planners[kind]!
  throw new StartError([
    { code: "AGENT_INVALID", kind: "here", message: `This runtime runs no agent that is a ${kind}.` },
  ])
}

const endOf = ({ type: _, ...end }: Extract<Plan, { type: "end" }>): PlannedEnd => end

async function asked(drive: Drive, call: PlannedCall, number: number): Promise<AskedCall> {
  const { key } = call
  const id = `c${number}`
  const own = { id, wire: `call_${id}`, effect: "read", key } as const
  switch (call.type) {
    case "approval":
      return {
        ...own,
        tool: "approval",
        kind: "approval",
        arguments: written({ message: call.message }),
        ...(call.timeout !== undefined && { expires: now() + call.timeout }),
      }
    case "pause": {
      const expires = now() + call.milliseconds
      return { ...own, tool: "wait", kind: "pause", arguments: "{}", expires }
    }
    case "call": {
      const made = { wire: own.wire, tool: call.tool, arguments: written(call.input) }
      const [inspected] = await inspectCalls({ calls: [made] }, drive.definition, inspecting(drive, number))
      return { ...inspected!, key }
    }
  }
}

const written = (input: { readonly [name: string]: Json }): string => JSON.stringify(input)

const inspecting = (drive: Drive, firstNumber: number): Parameters<typeof inspectCalls>[2] => ({
  firstNumber,
  usedWires: undefined,
  closing: false,
  keepInput: (call, input) => drive.keepInput(call, input),
  refusalOf: (tool) => refusalOf(drive, tool),
  unknownAgent: (tool, input) => unknownAgent(drive, tool, input),
  accessesOf: (tool, input) =>
    accessesOf(drive.environment, tool, input, drive.state.run, drive.state.start!),
})
