import type { Agent } from "../../../agent/agent.ts"
import { type CommandConfinement, isWeaker } from "../../../agent/confinement.ts"
import { mapFromWorktree } from "../../../agent/isolation.ts"
import { isFromProject } from "../../../definitions/authority/claims.ts"
import {
  deriveMode,
  findStrictestMode,
  isWeakerMode,
  type PermissionMode,
} from "../../../definitions/authority/mode.ts"
import { isTrustedAgent } from "../../../definitions/authority/trusted-agents.ts"
import type { WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import { CadreError } from "../../../ground/errors.ts"
import { fold } from "../../../run/begin/load.ts"
import type { RunStart } from "../../../run/log/event-run.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { upcast } from "../../../run/log/upcast.ts"
import { configurationOwner } from "../../../run/rights/rule-sets.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"
import { describeUntrustedAgent } from "./trust.ts"

/** Reads the first event of a run. Throws RUN_UNKNOWN if there is no such run. */
export async function readStart(store: Store, run: string): Promise<RunStart> {
  if (isRunId(run))
    for await (const stored of store.read(run)) {
      const event = upcast(stored)
      if (event?.type === "run-start") return event
      break
    }
  throw new CadreError("RUN_UNKNOWN", `There is no run ${JSON.stringify(run.slice(0, 100))} in this store.`)
}

/** The folder that a run was started in, even if the run works in a worktree of that folder. */
export const getStartFolder = ({ cwd, moved }: RunStart): string => mapFromWorktree(cwd, moved).at(-1) ?? cwd

/** Throws if the options are weaker than those the run was started with. Stricter ones are allowed. */
export async function requireNoWeaker(
  store: Store,
  run: string,
  { sandbox, mode }: { readonly sandbox?: CommandConfinement["sandbox"]; readonly mode?: PermissionMode },
): Promise<void> {
  if (sandbox === undefined && mode === undefined) return
  const state = (await fold(store, getRootRun(run)))?.state
  const startedSandbox = state?.confinement?.sandbox
  if (sandbox !== undefined && startedSandbox !== undefined && isWeaker(sandbox, startedSandbox))
    throw weaker(run, `with sandbox ${startedSandbox}`, `--sandbox ${sandbox}`)
  const rules = (state?.rights ?? []).filter(({ of }) => of === configurationOwner)
  const keptMode = findStrictestMode(...rules.map(deriveMode))
  if (mode !== undefined && keptMode !== undefined && isWeakerMode(mode, keptMode))
    throw weaker(run, `in mode ${keptMode}`, `--mode ${mode}`)
}

const weaker = (run: string, startedWith: string, option: string): UsageError =>
  new UsageError(
    `Run ${run} was started ${startedWith}, and ${option} is weaker. Leave it out, or start a new run.`,
  )

/** Checks the recorded definition of every open run of the tree: runs keep the definitions that they started with. */
export async function requireTrustedTree(
  store: Store,
  run: string,
  standing: WorkspaceTrust,
  directory: string,
): Promise<void> {
  for await (const head of store.list({ root: getRootRun(run) })) {
    // A run without an agent has lost its first event and cannot be resumed.
    if (head.status !== "open" || head.agent === "") continue
    const { definition } = await readStart(store, head.run)
    const blob = await store.getBlob(head.run, definition)
    // A missing definition fails later, when the run is resumed, with its own message.
    const agent = blob === undefined ? undefined : (JSON.parse(blob) as { agent: Agent }).agent
    if (agent && isFromProject(agent.origin.scope) && !isTrustedAgent(standing, agent))
      throw new UntrustedError(
        `Run ${head.run} cannot be resumed. ${describeUntrustedAgent(agent, standing, directory)}`,
      )
  }
}
