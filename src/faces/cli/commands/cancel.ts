import { CadreError } from "../../../ground/errors.ts"
import type { LetterDelivery, Runtime } from "../../../run/face/runtime.ts"
import { type Damage, findDamage } from "../../../run/log/damage.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { defineCommand, type ProcessContext } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { describeDamage } from "../stored-runs/damaged-log.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { describeDelivery, storeOf, withRuntime } from "../stored-runs/runs.ts"
import { writeJsonText } from "../terminal/json-text.ts"

export const cancelCommand = defineCommand({
  name: "cancel",
  summary: "Stop a run and its subagents",
  arguments: [
    { name: "id", doc: "The run", complete: "run" },
    { name: "reason", doc: "Why, for the log", count: "any" },
  ],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [{ line: 'cadre cancel ID "wrong branch"', doc: "Stop it; its output so far is kept" }],
  async run({ arguments: { id: word, reason }, options, stdout, environment }) {
    const id = await findRun(word, { environment })
    const why = reason.join(" ") || undefined
    const damage = await damageBefore(id, environment)
    if (damage !== undefined) {
      const delivery = await leaveCancel(id, why, environment)
      const text = `The run cannot be stopped now: ${describeDamage(damage, id)}${damage.start === "lost" ? "" : " The run will stop when it is resumed."}`
      stdout.write(options.json ? writeJsonText({ id, delivery, damage: text }) : `${text}\n`)
      return exitCode.problems
    }
    const delivery = await withRuntime({ environment }, async (runtime) => {
      const head = await headOf(runtime, id)
      return head?.status === "ended" ? ("ended" as const) : runtime.cancel(id, why)
    })
    const text = delivery === "ended" ? "The run has already ended." : describeDelivery(delivery, id)
    stdout.write(options.json ? writeJsonText({ id, delivery }) : `${text}\n`)
    return exitCode.fine
  },
})

type Environment = ProcessContext["environment"]

/** The damage in the log that keeps an open run from being stopped. Undefined for an ended run, even with a damaged log. */
async function damageBefore(id: string, environment: Environment): Promise<Damage | undefined> {
  return withRuntime({ environment }, async (runtime) => {
    if ((await headOf(runtime, id))?.status === "ended") return undefined
    const store = storeOf({ environment })
    return findDamage(store, id).finally(() => store.close())
  })
}

async function headOf(runtime: Runtime, id: string): Promise<RunHead | undefined> {
  if (!isRunId(id)) return undefined
  for await (const head of runtime.list({ root: getRootRun(id) })) if (head.run === id) return head
  return undefined
}

/** Leaves a cancel letter in the store. The run stops as soon as its log is repaired and it is resumed. */
async function leaveCancel(
  id: string,
  reason = "it was asked to stop",
  environment: Environment,
): Promise<LetterDelivery | "none"> {
  const store = storeOf({ environment })
  const letter = { run: id, key: `${id}:cancel`, at: Date.now(), body: { type: "cancel", reason } }
  try {
    return await store.send(letter)
  } catch (error) {
    // The store has no such run any more, so there is nothing to stop.
    if (error instanceof CadreError && error.code === "RUN_UNKNOWN") return "none"
    throw error
  } finally {
    await store.close()
  }
}
