import type { ExecutorSettings } from "../../agent/executor.ts"
import type { Usage } from "../../ground/message.ts"
import { isAmount } from "../../run/log/tool-usage.ts"
import type { Printed } from "../sandbox/process.ts"
import { at, readJson } from "./read-answer.ts"

/** What a program says that its models took. What it does not say, nobody knows. */
export function readUsage({ usage }: Pick<ExecutorSettings, "usage">, { head, omitted }: Printed): Usage {
  const read = usage && omitted === 0 ? readJson(head) : undefined
  const amountAt = (way: string | undefined): number | undefined => {
    if (way === undefined || !read || "problem" in read) return undefined
    const found = at(read.value, way)
    const amount = "value" in found ? found.value : undefined
    return isAmount(amount) ? amount : undefined
  }
  const [input, output, cost] = [usage?.input, usage?.output, usage?.cost].map(amountAt)
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(cost !== undefined && { cost }),
  }
}
