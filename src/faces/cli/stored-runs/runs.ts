import { setTimeout } from "node:timers/promises"
import { createRuntime } from "../../../assembly/create-runtime.ts"
import { CadreError } from "../../../ground/errors.ts"
import type { LetterDelivery, Runtime } from "../../../run/face/runtime.ts"
import type { Store } from "../../../run/log/store.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { ProcessContext } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { locateRunsFolder } from "./runs-folder.ts"

/** Opens the store with the user's runs. */
export const storeOf = (surroundings: Pick<ProcessContext, "environment">): Store =>
  jsonlStore({ directory: locateRunsFolder(surroundings) })

/** Calls `work` with a runtime for the user's runs. An unknown run is a usage error. */
export async function withRuntime<Value>(
  surroundings: Pick<ProcessContext, "environment">,
  work: (runtime: Runtime) => Promise<Value>,
): Promise<Value> {
  const runtime = createRuntime({ store: storeOf(surroundings) })
  try {
    return await convertUnknownRun(() => work(runtime))
  } finally {
    await runtime.close()
  }
}

/** Closes the runtime, but waits at most two seconds for work that does not stop. */
export async function closeWithTimeout(runtime: Runtime): Promise<void> {
  await Promise.race([runtime.close(), setTimeout(2_000, undefined, { ref: false })])
}

/** Turns the errors for an unknown run or call into usage errors. */
export async function convertUnknownRun<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CadreError && (error.code === "RUN_UNKNOWN" || error.code === "CALL_UNKNOWN"))
      throw new UsageError(`${error.message} \`cadre runs\` lists all runs.`)
    throw error
  }
}

/** Describes the delivery of a letter to a run. */
export function describeDelivery(delivery: LetterDelivery, id: string): string {
  if (delivery === "recorded") return "Recorded."
  if (delivery === "delivered") return "Delivered to the process that drives the run."
  return `No process drives the run now. This takes effect with \`cadre resume ${id.split(".")[0]}\`.`
}
