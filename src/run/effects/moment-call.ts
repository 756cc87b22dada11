import { messageOf } from "../../ground/errors.ts"
import type { Action } from "../decide/action.ts"
import type { HookSpawn, MomentName, Objection } from "../log/event.ts"
import type { Settled, Signalled } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookActions } from "../ports/hooked.ts"
import type { HookedMoment, MomentVerdict } from "../ports/hooked-moment.ts"
import { hookedAgent } from "../rights/hooks.ts"
import { commandTool } from "../rights/pattern.ts"
import { isDoubtful, isGate, mayGoOn } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { hookLost } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"
import { type Gathered, gather, hookedRun, isOfItsOwn, nothingGathered, recordOf } from "./gathered.ts"
import { actionsOf, withoutCommands } from "./hook-actions.ts"
import { hookList, oneByOne } from "./hook-call.ts"

type Ask = Extract<Action, { type: "ask-hooks" }>

/** Asks the hooks that want to be asked at a moment, in order, and records what they came to. The first block wins. */
export const askMoment = (drive: Drive, asked: Ask): Promise<void> =>
  oneByOne(drive, () => askAll(drive, asked))

async function askAll(drive: Drive, asked: Ask): Promise<void> {
  const { id, happening } = asked
  const { moment } = happening
  const known = await hookList(drive.environment, hookedAgent(drive.definition.agent, drive.state))
  const gathered = nothingGathered()
  let block: Objection | undefined
  for (const name of drive.state.moments?.hooks[moment] ?? []) {
    if (isOver(drive, moment)) return
    const hook = known.find((one) => one.name === name && one.at?.[moment])
    if (hook && isOfItsOwn(drive, hook)) continue
    const objection = hook
      ? await askHook(drive, asked, hook, gathered)
      : { reason: `hook "${name}" is no longer registered`, final: true as const }
    if (objection && isGate(moment)) {
      block = { hook: name, ...objection }
      break
    }
    // What has happened cannot be blocked: the model is told the reason.
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
    ...recordOf(gathered),
  })
}

/** A run that is asked to stop begins nothing; one that has come to its end has only its end to be told of. */
const isOver = (drive: Drive, moment: MomentName): boolean =>
  moment === "run_end" ? drive.ended : drive.stopped

/** Takes over what a hook wants. What fails to judge objects to what nobody can mend. */
async function askHook(
  drive: Drive,
  asked: Ask,
  hook: Hook,
  gathered: Gathered,
): Promise<Objection | undefined> {
  const { state } = drive
  const { id, happening } = asked
  if (isLost(state, id, hook) && (!hook.binds || isGate(happening.moment)))
    return { reason: hookLost(hook.name), final: true }
  const settled = await drive.run(id, (running) => question(drive, asked, hook, gathered, running), {
    timeout: state.start!.limits.toolTimeout,
  })
  if (settled.type !== "value") return { reason: `it failed: ${whyOf(settled)}`, final: true }
  const verdict: MomentVerdict = settled.value ?? { type: "pass" }
  const spawns = (verdict.spawns ?? []).map(
    (spawn): Omit<HookSpawn, "hook"> =>
      happening.moment === "stop" ? { ...spawn, mode: "background" } : spawn,
  )
  const refused = spawns.length > 0 ? whyNot(drive, happening.moment, spawns) : undefined
  if (refused !== undefined) gathered.problems.push(`${hook.name}: ${refused}`)
  const wrong = gather(drive, hook, { ...verdict, spawns: refused === undefined ? spawns : [] }, gathered)
  if (wrong !== undefined) return { reason: `it ${wrong}`, final: true }
  if (verdict.type === "pass") return undefined
  if (verdict.type !== "block") return { reason: "it gave no verdict that is known", final: true }
  return { reason: String(verdict.reason ?? "no reason was given"), ...(verdict.final && { final: true }) }
}

/** Whether a command of it was at work at this moment when the process died. */
const isLost = ({ moments }: Drive["state"], id: string, { name }: Hook): boolean =>
  moments?.commands.some((command) => command.id === id && command.hook === name && command.lost) === true

const whyOf = (settled: Exclude<Settled<unknown>, { type: "value" }>): string =>
  settled.type === "error" ? messageOf(settled.error) : settled.aborted

type Question = (
  moment: HookedMoment,
  signal: AbortSignal,
  actions: HookActions,
) => Promise<MomentVerdict | undefined>

async function question(
  drive: Drive,
  { id, turn, happening }: Ask,
  hook: Hook,
  { variables }: Gathered,
  running: Signalled,
): Promise<MomentVerdict | undefined> {
  const questions = hook.at as Record<MomentName, Question>
  const asked = { ...hookedRun(drive, variables), turn, ...happening }
  const actions = actionsOf(drive, standIn(id), hook, running)
  const isUnsure = isLost(drive.state, id, hook) || isDoubtful(drive.state, id)
  const allowed = isUnsure ? withoutCommands(actions) : actions
  return questions[happening.moment](asked, running.signal, allowed)
}

/** What keeps agents from being spawned here. */
function whyNot(
  { state }: Drive,
  moment: MomentName,
  spawns: readonly Pick<HookSpawn, "mode">[],
): string | undefined {
  if (moment === "run_end") return "a run that has come to its end spawns nobody"
  if (moment === "stop" && !mayGoOn(state)) return "the run cannot go on, so nobody is spawned"
  if (spawns.some(({ mode }) => mode !== "before" && mode !== "background"))
    return "there is no call that an agent could replace; it can come before or in the background"
  return undefined
}

/** What is done at a moment is done in the name of a call that nobody made. */
export const standIn = (id: string, spawns?: readonly HookSpawn[]): OpenCall => ({
  id,
  wire: id,
  tool: commandTool,
  arguments: "{}",
  kind: "function",
  effect: "opaque",
  status: "approved",
  ...(spawns && { spawns }),
})
