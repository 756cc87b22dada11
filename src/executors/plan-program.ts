import type { Agent } from "../agent.ts"
import { type ExecutorSettings, type Executors, executorToolName } from "../executor.ts"
import type { Json } from "../message.ts"
import type { Pinned } from "../run/definition.ts"
import type { Plan } from "../run/plan.ts"
import type { PlannedResult, RunState } from "../run/state.ts"
import { checkExecutor, settingsOf } from "./check.ts"
import { handedModel } from "./handed-model.ts"
import { promptOf } from "./prompt.ts"
import { readValue } from "./read-value.ts"

/** One call, and the end that it comes to. */
export function planProgram(executors: Executors, definition: Pinned, state: RunState): Plan | Promise<Plan> {
  const result = state.plan!.results.at(0)
  if (result) return endOf(definition.agent, result)
  // It may have been configured otherwise when the run began.
  checkExecutor(executors, definition.agent, {})
  const input = inputOf(definition, state, settingsOf(executors, definition.agent))
  return { type: "calls", calls: [{ type: "call", key: "program", tool: executorToolName, input }] }
}

/** The prompt stands last: whoever is asked reads the rest first. */
function inputOf(
  definition: Pinned,
  { start }: RunState,
  settings: ExecutorSettings,
): { readonly [name: string]: Json } {
  const { agent } = definition
  const { command, options = {} } = settings
  const { effort, tools, result: schema } = agent
  const model = handedModel(settings, start!.model.requested)
  return {
    executor: agent.executor!,
    command: [...command],
    wants: schema ? "value" : "text",
    ...(model !== undefined && { model }),
    ...(options.effort && effort !== undefined && { effort: String(effort) }),
    ...(options.tools && tools.mode === "list" && { tools: [...tools.allow] }),
    ...(options.disallowedTools && tools.deny.length > 0 && { disallowedTools: [...tools.deny] }),
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
