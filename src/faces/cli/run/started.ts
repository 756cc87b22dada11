import type { Agent } from "../../../agent/agent.ts"
import { type Confinement, isWeaker } from "../../../agent/confinement.ts"
import { movedFrom } from "../../../agent/isolation.ts"
import { isProjects } from "../../../definitions/authority/claims.ts"
import { isWeakerMode, type Mode, modeOfRules, strictestMode } from "../../../definitions/authority/mode.ts"
import type { Standing } from "../../../definitions/authority/standing.ts"
import { isTrustedAgent } from "../../../definitions/authority/trusted-agents.ts"
import { CadreError } from "../../../ground/errors.ts"
import { fold } from "../../../run/begin/load.ts"
import type { RunStart } from "../../../run/log/event-run.ts"
import { isRunId, rootOf } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { upcast } from "../../../run/log/upcast.ts"
import { configured } from "../../../run/rights/rule-sets.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"
import { untrusted } from "./trust.ts"

/** How a run was started. Throws RUN_UNKNOWN where there is none. */
export async function readStart(store: Store, run: string): Promise<RunStart> {
  if (isRunId(run))
    for await (const stored of store.read(run)) {
      const event = upcast(stored)
      if (event?.type === "run-start") return event
      break
    }
  throw new CadreError("RUN_UNKNOWN", `No run ${JSON.stringify(run.slice(0, 100))} in this store.`)
}

/** The folder that a run was started in, also where it works in a worktree that stands for it. */
export const startedIn = ({ cwd, moved }: RunStart): string => movedFrom(cwd, moved).at(-1) ?? cwd

/** A run keeps the sandbox and the mode it was started with: whoever resumes it may ask for stricter ones, and for no others. */
export async function requireNoWeaker(
  store: Store,
  run: string,
  { sandbox, mode }: { readonly sandbox?: Confinement["sandbox"]; readonly mode?: Mode },
): Promise<void> {
  if (sandbox === undefined && mode === undefined) return
  const state = (await fold(store, rootOf(run)))?.state
  const kept = state?.confinement?.sandbox
  if (sandbox !== undefined && kept !== undefined && isWeaker(sandbox, kept))
    throw weaker(run, `with sandbox ${kept}`, `--sandbox ${sandbox}`)
  const rules = (state?.rights ?? []).filter(({ of }) => of === configured)
  const keptMode = strictestMode(...rules.map(modeOfRules))
  if (mode !== undefined && keptMode !== undefined && isWeakerMode(mode, keptMode))
    throw weaker(run, `in mode ${keptMode}`, `--mode ${mode}`)
}

const weaker = (run: string, kept: string, option: string): UsageError =>
  new UsageError(`Run ${run} goes on ${kept}, and ${option} is weaker. Leave it out, or start a new run.`)

/** A run keeps the definition it started with, and so does what it started: each of them is looked at, not the files of today. */
export async function requireTrustedTree(
  store: Store,
  run: string,
  standing: Standing,
  directory: string,
): Promise<void> {
  for await (const head of store.list({ root: rootOf(run) })) {
    // One without an agent has lost its first event, and cannot go on.
    if (head.status !== "open" || head.agent === "") continue
    const { definition } = await readStart(store, head.run)
    const blob = await store.getBlob(head.run, definition)
    // What is missing fails when it is resumed, with its own message.
    const agent = blob === undefined ? undefined : (JSON.parse(blob) as { agent: Agent }).agent
    if (agent && isProjects(agent.origin.scope) && !isTrustedAgent(standing, agent))
      throw new UntrustedError(`Run ${head.run} cannot go on. ${untrusted(agent, standing, directory)}`)
  }
}
