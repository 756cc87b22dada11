import path from "node:path"
import { createRuntime } from "../create-runtime.ts"
import { CadreError } from "../errors.ts"
import type { Runtime } from "../run/runtime.ts"
import type { Store } from "../run/store.ts"
import { jsonlStore } from "../stores/jsonl.ts"
import type { Surroundings } from "./command.ts"
import { UsageError } from "./usage-error.ts"

/** The runs of this user, as `CADRE_STATE_DIR` or the platform says where. */
export function storeOf({ environment }: Pick<Surroundings, "environment">): Store {
  const { CADRE_STATE_DIR: state } = environment
  return jsonlStore(state ? { directory: path.join(state, "runs") } : {})
}

/** Does something with those runs. A run that is not there is wrong usage. */
export async function withRuntime<Value>(
  surroundings: Pick<Surroundings, "environment">,
  work: (runtime: Runtime) => Promise<Value>,
): Promise<Value> {
  const runtime = createRuntime({ store: storeOf(surroundings) })
  try {
    return await work(runtime)
  } catch (error) {
    if (error instanceof CadreError && (error.code === "RUN_UNKNOWN" || error.code === "CALL_UNKNOWN"))
      throw new UsageError(`${error.message} \`cadre runs\` lists those there are.`)
    throw error
  } finally {
    await runtime.close()
  }
}

/** What became of a letter, in words. */
export const deliveries = {
  recorded: "It is recorded.",
  delivered: "The process that drives the run has it.",
  waiting: "Nobody drives the run now: it takes effect when the run is resumed.",
} as const
