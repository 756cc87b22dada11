import type { Agent } from "../../agent/agent.ts"
import type { Delegation } from "../../agent/tool.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { checkToolNames, grantTools } from "../begin/definition.ts"
import { contextOf } from "../begin/gather-context.ts"
import { withWorkflow } from "../begin/named-workflow.ts"
import { placed } from "../begin/start-problems.ts"
import { selfProblems, startParts } from "../begin/taken-on.ts"
import { refusedVariables } from "../begin/variables.ts"
import type { Activation, CallResult, ToolEnd } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Hook } from "../ports/hook.ts"
import { hooksOf, isWorkflowHook, namesOf } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { ruleSetsOf } from "../rights/rule-sets.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { activationText, opening } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"
import { type Gathered, gather, hookedRun, nothingGathered } from "./gathered.ts"
import { actionsOf, withoutCommands } from "./hook-actions.ts"
import { endNow, oneByOne } from "./hook-call.ts"
import { notRun } from "./tool-call.ts"

/**
 * Takes an agent on in the run that calls it: there is no child, its instructions are the result of the call, and from then
 * on its rules, its tools, its variables and its workflow are the run's, too.
 */
export const activate = (drive: Drive, call: OpenCall, agent: Agent, delegation: Delegation): Promise<void> =>
  oneByOne(drive, async () => {
    if (drive.stopped) return
    await drive.recorder.record({ type: "tool-start", call: call.id })
    if (drive.state.stop) return drive.recorder.record(notRun(call))
    if (drive.stopped) return
    const gathered = nothingGathered()
    await endNow(drive, call, await activated(drive, call, agent, delegation, gathered), gathered)
  })

type End = Pick<ToolEnd, "result" | "activates">

async function activated(
  drive: Drive,
  call: OpenCall,
  named: Agent,
  delegation: Delegation,
  gathered: Gathered,
): Promise<End> {
  const { environment } = drive
  const problem = whyNot(drive, named, delegation)
  if (problem !== undefined) return refused(named, problem)
  try {
    const agent = await writtenOut(drive, named)
    checkToolNames(agent, environment)
    const taken = await takenOn(drive, agent, delegation.variables ?? {})
    if ("problem" in taken) return refused(agent, taken.problem)
    const text = await instructionsOf(drive, agent, delegation.task, taken)
    const entry = taken.workflow === undefined ? {} : await entered(drive, call, agent, taken, gathered)
    if ("problem" in entry) return refused(agent, entry.problem)
    return { result: { status: "ok", text }, activates: { ...taken, ...entry } }
  } catch (error) {
    if (error instanceof CadreError) return refused(named, error.message)
    throw error
  }
}

/** With its workflow as any run can follow it. */
async function writtenOut({ environment }: Drive, agent: Agent): Promise<Agent> {
  const isPlain =
    (agent.workflow ?? null) === null ||
    !(environment.lifecycle?.writtenOut || typeof agent.workflow === "string")
  return isPlain ? agent : (await withWorkflow(environment, { agent })).agent
}

const refused = ({ name }: Agent, problem: string): End => ({
  result: { status: "error", text: `Cannot activate '${name}': ${problem}` } satisfies CallResult,
})

function whyNot(
  { environment, state: { step, plan } }: Drive,
  agent: Agent,
  delegation: Delegation,
): string | undefined {
  if (plan) return "no model drives this run, so nobody would follow its instructions."
  const never = selfProblems(agent)
  if (never.length > 0) return new StartError(placed(environment, agent, never)).message
  const said = startParts(agent)
  if (said.length > 0)
    return `its definition has ${said.map((part) => `\`${part}\``).join(", ")}, which a run has from its start or not at all. Call it in the mode headless.`
  const { mode, model, timeout, continues, dedupe } = delegation
  const given = Object.entries({
    model,
    timeout,
    continues,
    dedupe,
    background: mode === "background" || undefined,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (given.length > 0)
    return `it is taken on by your own run, so ${given.join(", ")} cannot be said of it. Leave that out.`
  if ((agent.workflow ?? null) !== null && step && !step.complete)
    return `it has a workflow of its own, and this run is in the step '${step.name}' of the workflow '${step.workflow}'. Complete that first.`
  return undefined
}

async function takenOn(
  { environment, state }: Drive,
  agent: Agent,
  given: JsonMap,
): Promise<Activation | { readonly problem: string }> {
  const wrong = refusedVariables(environment, agent.name, agent.callVariables, given)
  if (wrong !== undefined) return { problem: wrong }
  const workflow = namedWorkflow(agent)
  const { variables: ofWorkflow = {} } = workflow ?? {}
  const all = { ...(ofWorkflow as JsonMap), ...agent.variables, ...given }
  const open = Object.entries(all).filter(([name]) => !environment.variables.locked.includes(name))
  return {
    agent: agent.name,
    rights: narrowing(agent, environment, state),
    ...(open.length > 0 && { variables: Object.fromEntries(open) }),
    ...(workflow && { workflow }),
  }
}

/** Under the name of its agent, where it has none: the run is of another. */
function namedWorkflow({ name, workflow }: Agent): JsonMap | undefined {
  if (typeof workflow !== "object" || workflow === null || Array.isArray(workflow)) return undefined
  return { name, ...(workflow as JsonMap) }
}

/** Its own rules, and only the tools that it would have had as a child. */
function narrowing(agent: Agent, environment: Drive["environment"], state: RunState): readonly RuleSet[] {
  const start = state.start!
  const granted = grantTools(agent, start.tools, environment.tools)
  const list: RuleSet = {
    of: `the tools of agent "${agent.name}"`,
    ...(start.delegation === "own" && { own: true }),
    rules: granted.map((tool) => ({ tool, decision: "allow" })),
    otherwise: "deny",
  }
  const own = ruleSetsOf(agent, environment.tools, start.cwd, start.delegation ?? "narrow")
  return granted.length < start.tools.length ? [...own, list] : own
}

/** Enters the workflow as a run that starts does. Where it does not let the run start, nothing is taken on. */
async function entered(
  drive: Drive,
  call: OpenCall,
  agent: Agent,
  { variables = {}, workflow }: Activation,
  gathered: Gathered,
): Promise<Pick<Activation, "hooks" | "moments"> | { readonly problem: string }> {
  const known = await hooksOf(drive.environment, { ...drive.definition.agent, workflow: workflow as Json })
  const hook = known.find(({ name }) => isWorkflowHook(name))
  const start = hook?.at?.run_start
  if (!hook || !start) return { problem: `nothing here follows the workflow of agent "${agent.name}".` }
  const settled = await drive.run(
    call.id,
    (running) => {
      const actions = actionsOf(drive, call, hook, running)
      const { step: _, ...run } = hookedRun(drive, variables)
      const asked = { ...run, moment: "run_start" as const }
      return start(asked, running.signal, call.hooking === undefined ? actions : withoutCommands(actions))
    },
    { timeout: drive.state.start!.limits.toolTimeout },
  )
  if (settled.type !== "value")
    return { problem: settled.type === "error" ? String(settled.error) : String(settled.aborted) }
  if (settled.value?.type === "block") return { problem: settled.value.reason }
  const wrong = gather(drive, hook, settled.value ?? {}, gathered)
  if (wrong !== undefined) gathered.problems.push(`${hook.name}: ${wrong}`)
  return namesFor(hook)
}

function namesFor(hook: Hook): Pick<Activation, "hooks" | "moments"> {
  const { judging, moments } = namesOf([hook])
  return { hooks: judging, ...(moments && { moments }) }
}

async function instructionsOf(
  { environment, state }: Drive,
  agent: Agent,
  task: string,
  { rights }: Activation,
): Promise<string> {
  const { cwd, moved, tools } = state.start!
  const { gathered } = await contextOf(environment, agent, {
    cwd,
    permits: (file) => mayBeSent([...state.rights, ...rights], file, moved),
  })
  const { system, message } = opening(agent, task, gathered)
  const granted = grantTools(agent, tools, environment.tools)
  return activationText(agent.name, {
    system,
    message,
    tools: granted.length < tools.length ? granted : undefined,
  })
}
