import type { ExecutorSettings } from "../../agent/executor.ts"
import type { TokenUsage } from "../../ground/message.ts"
import { isAmount } from "../../run/log/tool-usage.ts"
import type { PrintedOutput } from "../sandbox/process.ts"
import { parseExecutorJson, readJsonPath } from "./read-answer.ts"

/** Reads the usage that a program reports. Amounts that the program does not report stay unknown. */
export function readExecutorUsage(
  { usage }: Pick<ExecutorSettings, "usage">,
  { head, omitted }: PrintedOutput,
): TokenUsage {
  const json = usage && omitted === 0 ? parseExecutorJson(head) : undefined
  const amountAt = (way: string | undefined): number | undefined => {
    if (way === undefined || !json || "problem" in json) return undefined
    const result = readJsonPath(json.value, way)
    const amount = "value" in result ? result.value : undefined
    return isAmount(amount) ? amount : undefined
  }
  const [input, output, cost] = [usage?.input, usage?.output, usage?.cost].map(amountAt)
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(cost !== undefined && { cost }),
  }
}
