import { setTimeout } from "node:timers/promises"
import { createRuntime } from "../../../assembly/create-runtime.ts"
import { CadreError } from "../../../ground/errors.ts"
import type { Delivery, Runtime } from "../../../run/face/runtime.ts"
import type { Store } from "../../../run/log/store.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { Surroundings } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { runsFolder } from "./runs-folder.ts"

/** The runs of this user. */
export const storeOf = (surroundings: Pick<Surroundings, "environment">): Store =>
  jsonlStore({ directory: runsFolder(surroundings) })

/** Does something with those runs. A run that is not there is wrong usage. */
export async function withRuntime<Value>(
  surroundings: Pick<Surroundings, "environment">,
  work: (runtime: Runtime) => Promise<Value>,
): Promise<Value> {
  const runtime = createRuntime({ store: storeOf(surroundings) })
  try {
    return await unknownRunIsUsage(() => work(runtime))
  } finally {
    await runtime.close()
  }
}

/** Gives up what is driven here, without waiting for ever for what does not stop. */
export async function closeSoon(runtime: Runtime): Promise<void> {
  await Promise.race([runtime.close(), setTimeout(2_000, undefined, { ref: false })])
}

/** A run that is not there was named wrongly. */
export async function unknownRunIsUsage<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CadreError && (error.code === "RUN_UNKNOWN" || error.code === "CALL_UNKNOWN"))
      throw new UsageError(`${error.message} \`cadre runs\` lists those there are.`)
    throw error
  }
}

/** What became of a letter to a run, in words. */
export function deliveryText(delivery: Delivery, id: string): string {
  if (delivery === "recorded") return "It is recorded."
  if (delivery === "delivered") return "The process that drives the run has it."
  return `Nobody drives the run now: it takes effect with \`cadre resume ${id.split(".")[0]}\`.`
}
