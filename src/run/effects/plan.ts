import type { Json } from "../../ground/message.ts"
import { inspectCalls } from "../begin/inspect.ts"
import { getPlanner } from "../begin/kind.ts"
import { readClock } from "../log/clock.ts"
import type { AskedCall, PlannedEnd } from "../log/event.ts"
import type { PlannedCall, PlannerPlan } from "../ports/planner.ts"
import { resolveAccesses } from "../rights/accesses.ts"
import type { Drive } from "./drive-view.ts"
import { workPlaceOf } from "./execute-tool.ts"
import { findUnknownAgentProblem } from "./look-up-agent.ts"
import { explainRefusal } from "./refusal.ts"

/** Asks the planner and records its plan, with calls numbered and checked like those of a model. */
export async function makePlan(drive: Drive): Promise<void> {
  const { state, definition, environment, recorder } = drive
  const nextStep = await getPlanner(environment, state.start!.kind).plan(definition, state)
  const calls =
    nextStep.type === "calls"
      ? await Promise.all(
          // One call too many is enough to hit the limit.
          nextStep.calls
            .slice(0, state.start!.limits.maxToolCalls - state.callCount + 1)
            .map((call, index) => toAskedCall(drive, call, state.callCount + 1 + index)),
        )
      : []
  if (drive.isStopped) return
  await recorder.record({
    type: "plan-end",
    after: state.plan!.results.length,
    ...(calls.length > 0 && { calls }),
    ...(nextStep.type === "end" && { end: endOf(nextStep) }),
  })
}

/** The reason why a planned call may not begin any more, with the input as hooks rewrote it. */
export const findOutdatedReason = async (
  { state, definition, environment }: Drive,
  input: unknown,
): Promise<string | undefined> =>
  state.start!.kind === "agent"
    ? undefined
    : getPlanner(environment, state.start!.kind).outdated?.(definition, state, input)

const endOf = ({ type: _, ...end }: Extract<PlannerPlan, { type: "end" }>): PlannedEnd => end

async function toAskedCall(drive: Drive, call: PlannedCall, number: number): Promise<AskedCall> {
  const { key } = call
  const id = `c${number}`
  const common = { id, wire: `call_${id}`, effect: "read", key } as const
  switch (call.type) {
    case "approval":
      return {
        ...common,
        tool: "approval",
        kind: "approval",
        arguments: serialise({ message: call.message }),
        ...(call.timeout !== undefined && { expires: readClock() + call.timeout }),
      }
    case "pause": {
      const expires = readClock() + call.milliseconds
      return { ...common, tool: "wait", kind: "pause", arguments: "{}", expires }
    }
    case "call": {
      const request = { wire: common.wire, tool: call.tool, arguments: serialise(call.input) }
      const [inspected] = await inspectCalls(
        { calls: [request] },
        drive.definition,
        inspectionOptions(drive, number),
      )
      return { ...inspected!, key }
    }
  }
}

const serialise = (input: { readonly [name: string]: Json }): string => JSON.stringify(input)

const inspectionOptions = (drive: Drive, firstNumber: number): Parameters<typeof inspectCalls>[2] => ({
  firstNumber,
  usedWires: undefined,
  closing: false,
  keepInput: (call, input) => drive.inputs.keep(call, input),
  refusalOf: (tool) => explainRefusal(drive, tool),
  unknownAgent: (tool, input) => findUnknownAgentProblem(drive, tool, input),
  accessesOf: (tool, input) =>
    resolveAccesses(drive.environment, tool, input, drive.state.run, workPlaceOf(drive, tool)),
})
