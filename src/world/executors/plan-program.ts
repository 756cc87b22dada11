import type { Agent } from "../../agent/agent.ts"
import { type Executors, executorToolName } from "../../agent/executor.ts"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { PinnedDefinition } from "../../run/ports/pinned.ts"
import type { PlannerPlan } from "../../run/ports/planner.ts"
import type { PlannedResult, RunState } from "../../run/state/state.ts"
import { checkExecutor, hasNoTools, requireExecutorSettings } from "./check.ts"
import { chooseExecutorModel } from "./handed-model.ts"
import { writeExecutorPrompt } from "./prompt.ts"
import { readValue } from "./read-value.ts"

/** Plans one call of the program, and then the end of the run. */
export function planProgram(
  executors: Executors,
  definition: PinnedDefinition,
  state: RunState,
): PlannerPlan | Promise<PlannerPlan> {
  const result = state.plan!.results.at(0)
  if (result) return endOf(definition.agent, result)
  const input = inputOf(executors, definition, state)
  return { type: "calls", calls: [{ type: "call", key: "program", tool: executorToolName, input }] }
}

/**
 * Says why a planned call must not begin. The run's restrictions may have become stricter, or a hook may have changed
 * more than the prompt.
 */
export function explainOutdatedCall(
  executors: Executors,
  definition: PinnedDefinition,
  state: RunState,
  planned: unknown,
): string | undefined {
  try {
    const [currentInput, plannedInput] = [
      inputOf(executors, definition, state),
      planned as { readonly [name: string]: Json },
    ]
    const names = [...new Set([...Object.keys(currentInput), ...Object.keys(plannedInput)])].filter(
      (name) => name !== "prompt",
    )
    const changed = names.filter(
      (name) => JSON.stringify(currentInput[name]) !== JSON.stringify(plannedInput[name]),
    )
    if (changed.length === 0) return undefined
    return `Not run: the input of the executor ${definition.agent.executor} has changed since this run was planned (${changed.join(", ")}). Start the run again.`
  } catch (error) {
    return `Not run: ${describeThrown(error)}`
  }
}

/**
 * Makes the program's input from the restrictions of the run as they are now. The prompt comes last, so that a person
 * who approves the call reads the rest first.
 */
function inputOf(
  executors: Executors,
  definition: PinnedDefinition,
  { start, rights, confinement }: RunState,
): { readonly [name: string]: Json } {
  const { agent } = definition
  const { handable: ceiling } = start!
  const checked = checkExecutor(executors, agent, {
    rights,
    ...(ceiling && { ceiling }),
    ...(confinement && { confinement }),
  })
  if (hasNoTools(checked))
    throw new CadreError("EXECUTOR_DENIED", `agent "${agent.name}" may use none of its tools.`)
  const { handed } = checked
  const settings = requireExecutorSettings(executors, agent)
  const { command, options = {} } = settings
  const { effort, result: schema } = agent
  const model = chooseExecutorModel(settings, start!.model.requested)
  return {
    executor: agent.executor!,
    command: [...command],
    wants: schema ? "value" : "text",
    ...(model !== undefined && { model }),
    ...(options.effort && effort !== undefined && { effort: String(effort) }),
    ...(handed as { readonly [name: string]: Json }),
    ...(options.schema && schema && { schema }),
    prompt: writeExecutorPrompt(definition, start!, options.schema ? "handed on" : "told"),
  }
}

async function endOf(
  { result: schema }: Agent,
  { status, text, partial = "" }: PlannedResult,
): Promise<PlannerPlan> {
  switch (status) {
    case "ok": {
      if (!schema) {
        const type = text.trim() === "" ? "no-output" : "completed"
        return { type: "end", outcome: { type }, output: text }
      }
      const result = await readValue(text, schema)
      return "problem" in result
        ? failedPlan(`the executor's result does not fit the agent's result schema: ${result.problem}`, text)
        : {
            type: "end",
            outcome: { type: "completed" },
            output: JSON.stringify(result.value),
            value: result.value,
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
      return failedPlan(text, partial)
  }
}

const failedPlan = (reason: string, output: string): PlannerPlan => ({
  type: "end",
  outcome: { type: "failed", reason },
  output,
})
