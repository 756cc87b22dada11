import type { Json } from "../../ground/message.ts"
import { inspectCalls } from "../begin/inspect.ts"
import { plannerOf } from "../begin/kind.ts"
import { now } from "../log/clock.ts"
import type { AskedCall, PlannedEnd } from "../log/event.ts"
import type { Plan, PlannedCall } from "../ports/planner.ts"
import { accessesOf } from "../rights/accesses.ts"
import type { Drive } from "./drive-view.ts"
import { unknownAgent } from "./look-up-agent.ts"
import { refusalOf } from "./refusal.ts"

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
