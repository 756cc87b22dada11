import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach } from "vitest"
import { createRunId } from "../../src/run/log/id.ts"
import { isRefusal, type Store } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { dispatched } from "../dispatch-kit.ts"
import { runStart } from "../run-start.ts"

export const day = 24 * 60 * 60 * 1_000
export const now = Date.parse("2026-11-18T12:00:00Z")

export let state = ""
export let store: Store
beforeEach(() => {
  state = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-prune-"))
  store = jsonlStore({ directory: path.join(state, "runs") })
})
afterEach(async () => {
  await store.close()
  fs.rmSync(state, { recursive: true, force: true })
})

export const environment = () => ({
  CADRE_STATE_DIR: state,
  HOME: state,
  CADRE_CONFIG_DIR: path.join(state, "config"),
})
export const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: state, environment: environment(), now: () => now })
export const json = async (...words: readonly string[]) =>
  JSON.parse((await cadre("runs", ...words, "--json")).stdout)
export const idsOf = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id)

/** A run that began so many days ago, and has ended unless told. */
export async function made(
  days: number,
  extra: object = {},
  end: "ended" | "open" = "ended",
): Promise<string> {
  const at = now - days * day
  const run = createRunId(at)
  const stamp = { run, at, v: 2 }
  await store.create({ ...stamp, seq: 0, ...runStart, agent: "worker", ...extra } as never)
  if (end === "open") return run
  const claim = await store.claim(run)
  if (isRefusal(claim)) throw new Error(claim.type)
  const usage = { inputTokens: 10, outputTokens: 5, cost: 0.5 }
  await store.append(claim, [
    { ...stamp, seq: 1, type: "model-start", turn: 1, model: "anthropic:claude-sonnet-4-5" },
    { ...stamp, seq: 2, type: "model-end", turn: 1, usage },
    { ...stamp, seq: 3, at: at + 65_000, type: "run-end", outcome: { type: "completed" } },
  ] as never)
  await store.release(claim)
  return run
}
