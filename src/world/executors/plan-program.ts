import type { Agent } from "../../agent/agent.ts"
import { type Executors, executorToolName } from "../../agent/executor.ts"
import { CadreError, messageOf } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { Pinned } from "../../run/ports/pinned.ts"
import type { Plan } from "../../run/ports/planner.ts"
import type { PlannedResult, RunState } from "../../run/state/state.ts"
import { checkExecutor, isEmpty, settingsOf } from "./check.ts"
import { handedModel } from "./handed-model.ts"
import { promptOf } from "./prompt.ts"
import { readValue } from "./read-value.ts"

/** One call, and the end that it comes to. */
export function planProgram(executors: Executors, definition: Pinned, state: RunState): Plan | Promise<Plan> {
  const result = state.plan!.results.at(0)
  if (result) return endOf(definition.agent, result)
  const input = inputOf(executors, definition, state)
  return { type: "calls", calls: [{ type: "call", key: "program", tool: executorToolName, input }] }
}

/**
 * Why a planned call is not to begin: what binds the run may be stricter by now, and a hook may have rewritten more of it
 * than the prompt.
 */
export function outdatedProgram(
  executors: Executors,
  definition: Pinned,
  state: RunState,
  planned: unknown,
): string | undefined {
  try {
    const [now, then] = [inputOf(executors, definition, state), planned as { readonly [name: string]: Json }]
    const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter(
      (name) => name !== "prompt",
    )
    const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]))
    if (changed.length === 0) return undefined
    return `Not run: what the executor ${definition.agent.executor} is given (${changed.join(", ")}) is not what this run was planned with. Start the run anew.`
  } catch (error) {
    return `Not run: ${messageOf(error)}`
  }
}

/** What it is told follows from what binds the run now. The prompt stands last: whoever is asked reads the rest first. */
function inputOf(
  executors: Executors,
  definition: Pinned,
  { start, rights, confinement }: RunState,
): { readonly [name: string]: Json } {
  const { agent } = definition
  const { handable: ceiling } = start!
  const checked = checkExecutor(executors, agent, {
    rights,
    ...(ceiling && { ceiling }),
    ...(confinement && { confinement }),
  })
  if (isEmpty(checked))
    throw new CadreError("EXECUTOR_DENIED", `nothing is left of the tools of agent "${agent.name}".`)
  const { handed } = checked
  const settings = settingsOf(executors, agent)
  const { command, options = {} } = settings
  const { effort, result: schema } = agent
  const model = handedModel(settings, start!.model.requested)
  return {
    executor: agent.executor!,
    command: [...command],
    wants: schema ? "value" : "text",
    ...(model !== undefined && { model }),
    ...(options.effort && effort !== undefined && { effort: String(effort) }),
    ...(handed as { readonly [name: string]: Json }),
    ...(options.schema && schema && { schema }),
    prompt: promptOf(definition, start!, options.schema ? "handed on" : "told"),
  }
}

async function endOf(
  { result: schema }: Agent,
  { status, text, partial = "" }: PlannedResult,
): Promise<Plan> {
  switch (status) {
    case "ok": {
      if (!schema) {
        const type = text.trim() === "" ? "no-output" : "completed"
        return { type: "end", outcome: { type }, output: text }
      }
      const read = await readValue(text, schema)
      return "problem" in read
        ? failed(`the result of the executor is not what the agent hands in: ${read.problem}`, text)
        : {
            type: "end",
            outcome: { type: "completed" },
            output: JSON.stringify(read.value),
            value: read.value,
          }
    }
    case "unknown":
      return { type: "end", outcome: { type: "uncertain", reason: text }, output: "" }
    case "denied":
    case "skipped":
      return {
        type: "end",
        outcome: { type: "denied", reason: text.replace(/ Go on without it\.$/, "") },
        output: "",
      }
    case "error":
      return failed(text, partial)
  }
}

const failed = (reason: string, output: string): Plan => ({
  type: "end",
  outcome: { type: "failed", reason },
  output,
})
