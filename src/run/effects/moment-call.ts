import { describeThrown } from "../../ground/errors.ts"
import type { Action } from "../decide/action.ts"
import type { HookSpawn, MomentName, Objection } from "../log/event.ts"
import type { SignalHolder, WorkResult } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookActions } from "../ports/hooked.ts"
import type { HookMoment, MomentVerdict } from "../ports/hooked-moment.ts"
import { withActivatedWorkflow } from "../rights/hooks.ts"
import { commandTool } from "../rights/pattern.ts"
import { isDoubtful, isGate, mayGoOn } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { describeLostHook } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"
import { createHookActions, disableCommands } from "./hook-actions.ts"
import { readCurrentHooks, runInSequence } from "./hook-call.ts"
import {
  addHookEffects,
  createHookEffects,
  describeRunForHooks,
  type HookEffects,
  isHookSkipped,
  toHookRecord,
} from "./hook-effects.ts"

type Ask = Extract<Action, { type: "ask-hooks" }>

/** Asks the hooks of a moment, in order, and records the result. The first block wins. */
export const askMoment = (drive: Drive, action: Ask): Promise<void> =>
  runInSequence(drive, () => askAll(drive, action))

async function askAll(drive: Drive, action: Ask): Promise<void> {
  const { id, happening } = action
  const { moment } = happening
  const hooks = await readCurrentHooks(
    drive.environment,
    withActivatedWorkflow(drive.definition.agent, drive.state),
  )
  const gathered = createHookEffects()
  let block: Objection | undefined
  for (const name of drive.state.moments?.hooks[moment] ?? []) {
    if (isOver(drive, moment)) return
    const hook = hooks.find((one) => one.name === name && one.at?.[moment])
    if (hook && isHookSkipped(drive, hook)) continue
    const objection = hook
      ? await askHook(drive, action, hook, gathered)
      : { reason: `hook "${name}" is no longer registered`, final: true as const }
    if (objection && isGate(moment)) {
      block = { hook: name, ...objection }
      break
    }
    // An event that has happened cannot be blocked, so the model is told the reason.
    if (objection?.final || (objection && moment === "run_end"))
      gathered.problems.push(`${name}: ${objection.reason}`)
    else if (objection) gathered.context.push(objection.reason)
  }
  if (isOver(drive, moment)) return
  await drive.recorder.record({
    type: "moment-end",
    moment,
    id,
    ...(block && { block }),
    ...toHookRecord(gathered),
  })
}

/**
 * A run that is asked to stop starts nothing. A run that has reached its end may still ask its `run_end`
 * hooks.
 */
const isOver = (drive: Drive, moment: MomentName): boolean =>
  moment === "run_end" ? drive.isEnded : drive.isStopped

/**
 * Takes over the effects of a hook. A hook that fails objects with a reason that the model cannot resolve.
 */
async function askHook(
  drive: Drive,
  action: Ask,
  hook: Hook,
  gathered: HookEffects,
): Promise<Objection | undefined> {
  const { state } = drive
  const { id, happening } = action
  if (isLost(state, id, hook) && (!hook.binds || isGate(happening.moment)))
    return { reason: describeLostHook(hook.name), final: true }
  const workResult = await drive.run(id, (running) => question(drive, action, hook, gathered, running), {
    timeout: state.start!.limits.toolTimeout,
  })
  if (workResult.type !== "value") return { reason: `it failed: ${whyOf(workResult)}`, final: true }
  const verdict: MomentVerdict = workResult.value ?? { type: "pass" }
  const spawns = (verdict.spawns ?? []).map(
    (spawn): Omit<HookSpawn, "hook"> =>
      happening.moment === "stop" ? { ...spawn, mode: "background" } : spawn,
  )
  const spawnProblem = spawns.length > 0 ? whyNot(drive, happening.moment, spawns) : undefined
  if (spawnProblem !== undefined) gathered.problems.push(`${hook.name}: ${spawnProblem}`)
  const wrong = addHookEffects(
    drive,
    hook,
    { ...verdict, spawns: spawnProblem === undefined ? spawns : [] },
    gathered,
  )
  if (wrong !== undefined) return { reason: `it ${wrong}`, final: true }
  if (verdict.type === "pass") return undefined
  if (verdict.type !== "block") return { reason: "it returned an unknown verdict", final: true }
  return { reason: String(verdict.reason ?? "no reason was given"), ...(verdict.final && { final: true }) }
}

/** True if a command of the hook was running at this moment when the process died. */
const isLost = ({ moments }: Drive["state"], id: string, { name }: Hook): boolean =>
  moments?.commands.some((command) => command.id === id && command.hook === name && command.lost) === true

const whyOf = (workResult: Exclude<WorkResult<unknown>, { type: "value" }>): string =>
  workResult.type === "error" ? describeThrown(workResult.error) : workResult.aborted

type Question = (
  moment: HookMoment,
  signal: AbortSignal,
  actions: HookActions,
) => Promise<MomentVerdict | undefined>

async function question(
  drive: Drive,
  { id, turn, happening }: Ask,
  hook: Hook,
  { variables }: HookEffects,
  running: SignalHolder,
): Promise<MomentVerdict | undefined> {
  const questions = hook.at as Record<MomentName, Question>
  const hookedMoment = { ...describeRunForHooks(drive, variables), turn, ...happening }
  const actions = createHookActions(drive, createStandInCall(id), hook, running)
  const isUnsure = isLost(drive.state, id, hook) || isDoubtful(drive.state, id)
  const allowed = isUnsure ? disableCommands(actions) : actions
  return questions[happening.moment](hookedMoment, running.signal, allowed)
}

/** The reason why no agents can be spawned here. */
function whyNot(
  { state }: Drive,
  moment: MomentName,
  spawns: readonly Pick<HookSpawn, "mode">[],
): string | undefined {
  if (moment === "run_end") return "the run has reached its end, so no agent is spawned"
  if (moment === "stop" && !mayGoOn(state)) return "the run cannot go on, so no agent is spawned"
  if (spawns.some(({ mode }) => mode !== "before" && mode !== "background"))
    return "there is no call to replace at a moment; use `before` or `background`"
  return undefined
}

/** Work at a moment needs a call; this one stands in, because no model made it. */
export const createStandInCall = (id: string, spawns?: readonly HookSpawn[]): OpenCall => ({
  id,
  wire: id,
  tool: commandTool,
  arguments: "{}",
  kind: "function",
  effect: "opaque",
  status: "approved",
  ...(spawns && { spawns }),
})
