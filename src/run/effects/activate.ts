import type { Agent } from "../../agent/agent.ts"
import type { Delegation } from "../../agent/tool.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { checkToolNames, grantTools } from "../begin/definition.ts"
import { gatherContext } from "../begin/gather-context.ts"
import { withWorkflow } from "../begin/named-workflow.ts"
import { findSelfModeProblems, listStartParts } from "../begin/self-mode.ts"
import { addProblemPlaces } from "../begin/start-problems.ts"
import { findRefusedVariable } from "../begin/variables.ts"
import type { Activation, CallResult, ToolEnd } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Hook } from "../ports/hook.ts"
import { isWorkflowHook, listAgentHooks, listHookNames } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { buildRuleSets } from "../rights/rule-sets.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { buildOpening, writeActivation } from "../words/prompt.ts"
import { findDecisionCause } from "./decided-by.ts"
import type { Drive } from "./drive-view.ts"
import { createHookActions, disableCommands } from "./hook-actions.ts"
import { endCallNow, runInSequence } from "./hook-call.ts"
import { addHookEffects, createHookEffects, describeRunForHooks, type HookEffects } from "./hook-effects.ts"
import { createSkippedEnd } from "./tool-call.ts"

/**
 * Activates an agent in the run that calls it, in place of starting a child. The agent's instructions are the
 * result of the call. From then on its rules, tools, variables and workflow are the run's, too.
 */
export const activate = (drive: Drive, call: OpenCall, agent: Agent, delegation: Delegation): Promise<void> =>
  runInSequence(drive, async () => {
    const by = await findDecisionCause(drive, call)
    if (drive.isStopped) return
    await drive.recorder.record({ type: "tool-start", call: call.id, ...(by && { by }) })
    if (drive.state.stop) return drive.recorder.record(createSkippedEnd(call))
    if (drive.isStopped) return
    const gathered = createHookEffects()
    await endCallNow(drive, call, await prepareEnd(drive, call, agent, delegation, gathered), gathered)
  })

type End = Pick<ToolEnd, "result" | "activates">

async function prepareEnd(
  drive: Drive,
  call: OpenCall,
  requested: Agent,
  delegation: Delegation,
  gathered: HookEffects,
): Promise<End> {
  const { environment } = drive
  const problem = whyNot(drive, requested, delegation)
  if (problem !== undefined) return refuse(requested, problem)
  try {
    const agent = await writtenOut(drive, requested)
    checkToolNames(agent, environment)
    const activation = await buildActivation(drive, agent, delegation.variables ?? {})
    if ("problem" in activation) return refuse(agent, activation.problem)
    const text = await instructionsOf(drive, agent, delegation.task, activation)
    const entry =
      activation.workflow === undefined ? {} : await enterWorkflow(drive, call, agent, activation, gathered)
    if ("problem" in entry) return refuse(agent, entry.problem)
    return { result: { status: "ok", text }, activates: { ...activation, ...entry } }
  } catch (error) {
    if (error instanceof CadreError) return refuse(requested, error.message)
    throw error
  }
}

/** Replaces the name of the agent's workflow by the workflow itself. */
async function writtenOut({ environment }: Drive, agent: Agent): Promise<Agent> {
  const isNamed = environment.lifecycle?.writtenOut || typeof agent.workflow === "string"
  return isNamed ? (await withWorkflow(environment, { agent })).agent : agent
}

const refuse = ({ name }: Agent, problem: string): End => ({
  result: { status: "error", text: `Cannot activate '${name}': ${problem}` } satisfies CallResult,
})

function whyNot(
  { environment, state: { step, plan } }: Drive,
  agent: Agent,
  delegation: Delegation,
): string | undefined {
  if (plan) return "no model drives this run, so its instructions would have no effect."
  const never = findSelfModeProblems(agent)
  if (never.length > 0) return new StartError(addProblemPlaces(environment, agent, never)).message
  const startOnly = listStartParts(agent)
  if (startOnly.length > 0)
    return `its definition has ${startOnly.map((part) => `\`${part}\``).join(", ")}, which can only be set when a run starts. Call it in the mode headless.`
  const { mode, model, timeout, continues, dedupe } = delegation
  const options = Object.entries({
    model,
    timeout,
    continues,
    dedupe,
    background: mode === "background" || undefined,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (options.length > 0)
    return `your own run activates it, so ${options.join(", ")} cannot be set for it. Leave that out.`
  if ((agent.workflow ?? null) !== null && step && !step.complete)
    return `it has a workflow of its own, and this run is in the step '${step.name}' of the workflow '${step.workflow}'. Complete that workflow first.`
  return undefined
}

async function buildActivation(
  { environment, state }: Drive,
  agent: Agent,
  input: JsonMap,
): Promise<Activation | { readonly problem: string }> {
  const wrong = findRefusedVariable(environment, agent.name, agent.callVariables, input)
  if (wrong !== undefined) return { problem: wrong }
  const workflow = namedWorkflow(agent)
  const { variables: ofWorkflow = {} } = workflow ?? {}
  const all = { ...(ofWorkflow as JsonMap), ...agent.variables, ...input }
  const open = Object.entries(all).filter(([name]) => !environment.variables.locked.includes(name))
  return {
    agent: agent.name,
    rights: narrowing(agent, environment, state),
    ...(open.length > 0 && { variables: Object.fromEntries(open) }),
    ...(workflow && { workflow }),
  }
}

/** A workflow without a name gets the name of its agent, because the run is of another agent. */
function namedWorkflow({ name, workflow }: Agent): JsonMap | undefined {
  if (typeof workflow !== "object" || workflow === null || Array.isArray(workflow)) return undefined
  return { name, ...(workflow as JsonMap) }
}

/** The agent's own rules, and only the tools that it would have had as a child. */
function narrowing(agent: Agent, environment: Drive["environment"], state: RunState): readonly RuleSet[] {
  const start = state.start!
  const granted = grantTools(agent, start.tools, environment.tools)
  const list: RuleSet = {
    of: `the tools of agent "${agent.name}"`,
    ...(start.delegation === "own" && { own: true }),
    rules: granted.map((tool) => ({ tool, decision: "allow" })),
    otherwise: "deny",
  }
  const own = buildRuleSets(agent, environment.tools, start.cwd, start.delegation ?? "narrow")
  return granted.length < start.tools.length ? [...own, list] : own
}

/**
 * Enters the workflow as a starting run does. If the workflow does not let the run start, the agent is not
 * activated.
 */
async function enterWorkflow(
  drive: Drive,
  call: OpenCall,
  agent: Agent,
  { variables = {}, workflow }: Activation,
  gathered: HookEffects,
): Promise<Pick<Activation, "hooks" | "moments"> | { readonly problem: string }> {
  const hooks = await listAgentHooks(drive.environment, {
    ...drive.definition.agent,
    workflow: workflow as Json,
  })
  const hook = hooks.find(({ name }) => isWorkflowHook(name))
  const start = hook?.at?.run_start
  if (!hook || !start) return { problem: `this runtime cannot follow the workflow of agent "${agent.name}".` }
  const workResult = await drive.run(
    call.id,
    (running) => {
      const actions = createHookActions(drive, call, hook, running)
      const { step: _, ...run } = describeRunForHooks(drive, variables)
      const question = { ...run, moment: "run_start" as const }
      return start(question, running.signal, call.hooking === undefined ? actions : disableCommands(actions))
    },
    { timeout: drive.state.start!.limits.toolTimeout },
  )
  if (workResult.type !== "value")
    return { problem: workResult.type === "error" ? String(workResult.error) : String(workResult.aborted) }
  if (workResult.value?.type === "block") return { problem: workResult.value.reason }
  const wrong = addHookEffects(drive, hook, workResult.value ?? {}, gathered)
  if (wrong !== undefined) gathered.problems.push(`${hook.name}: ${wrong}`)
  return namesFor(hook)
}

function namesFor(hook: Hook): Pick<Activation, "hooks" | "moments"> {
  const { judging, moments } = listHookNames([hook])
  return { hooks: judging, ...(moments && { moments }) }
}

async function instructionsOf(
  { environment, state }: Drive,
  agent: Agent,
  task: string,
  { rights }: Activation,
): Promise<string> {
  const { cwd, moved, tools } = state.start!
  const { gathered } = await gatherContext(environment, agent, {
    cwd,
    permits: (file) => mayBeSent([...state.rights, ...rights], file, moved),
  })
  const { system, message } = buildOpening(agent, task, gathered)
  const granted = grantTools(agent, tools, environment.tools)
  return writeActivation(agent.name, {
    system,
    message,
    tools: granted.length < tools.length ? granted : undefined,
  })
}
