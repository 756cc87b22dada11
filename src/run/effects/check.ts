import type { Postcondition } from "../../agent/postcondition.ts"
import type { FunctionTool } from "../../agent/tool.ts"
import { describeThrown } from "../../ground/errors.ts"
import type { Action } from "../decide/action.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import { checkKey } from "../log/id.ts"
import type { PostconditionFinding } from "../ports/checking.ts"
import type { SignalHolder, WorkResult } from "../ports/effect.ts"
import { resolveAccesses } from "../rights/accesses.ts"
import { withoutOwnSets } from "../rights/binding-sets.ts"
import { isWorkflowHook } from "../rights/hooks.ts"
import { commandTool } from "../rights/pattern.ts"
import { judge } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import { describeAccess, describeLostHook } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"
import type { Drive } from "./drive-view.ts"
import { createToolContext, executeTool } from "./execute-tool.ts"
import { askCallHooks } from "./hook-call.ts"

type Check = Extract<Action, { type: "check" }>

/**
 * Checks the postconditions one after the other and records the results. After a crash, all of them are
 * checked again: a command that is a postcondition is declared repeatable. The command of a hook that judges
 * it is not. In that case its postcondition does not hold, and is checked again after another turn.
 */
export async function check(drive: Drive, action: Check): Promise<void> {
  const { recorder, definition, state } = drive
  if (drive.isStopped) return
  const { turn } = state
  await recorder.record({ type: "check-start", turn }, { sync: true })
  const results: PostconditionResult[] = []
  for (const condition of definition.agent.postconditions ?? [])
    results.push(resultOf(drive, condition, await settle(drive, action, condition, results.length)))
  // A check that was interrupted says nothing about the result. The next owner checks again.
  if (drive.isReleased) return
  await recorder.record({ type: "check-end", turn, results })
}

function settle(
  drive: Drive,
  action: Check,
  condition: Postcondition,
  index: number,
): Promise<WorkResult<PostconditionFinding>> | WorkResult<PostconditionFinding> {
  if (drive.isStopped) return { type: "abandoned", aborted: "the run is stopping" }
  const tool = "command" in condition ? drive.environment.tools.get(commandTool) : undefined
  return drive.run("check", (running) => checkOne(drive, action, condition, index, running), {
    timeout: tool?.timeout ?? drive.state.start!.limits.toolTimeout,
  })
}

async function checkOne(
  drive: Drive,
  { output, value, lost }: Check,
  condition: Postcondition,
  index: number,
  running: SignalHolder,
): Promise<PostconditionFinding> {
  const { state, environment } = drive
  if (!environment.checkPostcondition) return refuse("this runtime cannot check postconditions")
  return environment.checkPostcondition(condition, {
    run: state.run,
    cwd: state.start!.cwd,
    ...(state.start!.moved && { moved: state.start!.moved }),
    output,
    ...(value !== undefined && { value }),
    get signal() {
      return running.signal
    },
    permits: (access) =>
      judge(withoutOwnSets(state.rights), { tool: "Read", accesses: [access] }, state.start!.moved)
        .decision === "allow",
    command: async (line, timeout) =>
      lost === undefined
        ? runCommand(drive, { command: line, ...(timeout !== undefined && { timeout }) }, index, running)
        : { holds: false, problem: describeLostHook(lost) },
  })
}

/**
 * Runs a command under the same hooks and rules as every call, except that no person is asked. A command that
 * needs approval is not run.
 */
async function runCommand(
  drive: Drive,
  commandInput: { readonly command: string; readonly timeout?: number },
  index: number,
  running: SignalHolder,
): Promise<PostconditionFinding> {
  const { state, environment } = drive
  const tool = environment.tools.get(commandTool)
  if (tool?.kind !== "function") return refuse(`the tool ${commandTool} is not available here`)
  const id = checkKey(state.turn, index)
  const call: OpenCall = {
    id,
    wire: id,
    tool: commandTool,
    arguments: JSON.stringify(commandInput),
    kind: "function",
    effect: "idempotent",
    status: "approved",
  }
  // A workflow step limits the tools of the model; postconditions are checked in every step.
  const hooks = state.hooks.filter((name) => !isWorkflowHook(name))
  const hookJudgement = hooks.length > 0 ? await askCallHooks(drive, call, running, hooks) : undefined
  const hookVerdict = hookJudgement?.verdict
  if (hookVerdict?.type === "block") return refuse(hookVerdict.reason)
  const handover = hookJudgement?.spawns?.find(({ mode }) => mode !== "background")
  if (handover) return refuse(`hook "${handover.hook}" hands the command to the agent ${handover.agent}`)
  const input = hookVerdict?.type === "rewrite" ? JSON.parse(hookVerdict.arguments) : commandInput
  const accesses =
    hookVerdict?.type === "rewrite"
      ? hookVerdict.accesses
      : await resolveAccesses(environment, commandTool, input, state.run, state.start!)
  const judgement = judge(
    withoutOwnSets(state.rights),
    { tool: commandTool, ...(accesses && { accesses }) },
    state.start!.moved,
  )
  if (judgement.decision !== "allow") return refuse(refusal(judgement))
  const validated = await tool.validate(input)
  if ("problem" in validated) return refuse(validated.problem)
  return findingOf(await run(drive, tool, call, validated.value, running))
}

const run = (drive: Drive, tool: FunctionTool, call: OpenCall, input: unknown, running: SignalHolder) =>
  executeTool(drive, tool, { tool: commandTool, input, context: createToolContext(drive, call, running) })

function findingOf({
  text,
  isError,
  evidence,
}: Awaited<ReturnType<typeof executeTool>>): PostconditionFinding {
  const evidencePart = evidence === undefined || evidence === "wrong" ? {} : { evidence }
  if (typeof text !== "string" || evidence === "wrong")
    return { holds: false, problem: `the tool ${commandTool} returned an unreadable result` }
  return isError ? { holds: false, problem: text, ...evidencePart } : { holds: true, ...evidencePart }
}

function refusal({ decision, of, about }: ReturnType<typeof judge>): string {
  const what = about ? ` (${describeAccess(about)})` : ""
  return decision === "deny"
    ? `not permitted: ${commandTool}${what} is denied by the rules of ${of}`
    : `not run: ${commandTool}${what} needs approval (${of}), and a check cannot ask for approval. Allow the command with a rule`
}

const refuse = (problem: string): PostconditionFinding => ({ holds: false, problem, refused: true })

function resultOf(
  { environment }: Drive,
  condition: Postcondition,
  workResult: WorkResult<PostconditionFinding>,
): PostconditionResult {
  if (workResult.type === "value" && workResult.value.holds && workResult.aborted === undefined)
    return { condition, holds: true, ...evidenceOf(workResult.value) }
  const finding: PostconditionFinding =
    workResult.type === "value" && !workResult.value.holds
      ? workResult.value
      : { holds: false, problem: `it could not be checked: ${whyOf(workResult)}` }
  return {
    condition,
    holds: false,
    // Redacted before it is cut, because a cut could leave half a key.
    problem: boundText(environment.models.redact(String(finding.problem)), longestProblem).text,
    ...(finding.refused && { refused: true }),
    ...evidenceOf(finding),
  }
}

const longestProblem = 2_000

const evidenceOf = ({ evidence }: PostconditionFinding) => (evidence ? { evidence } : {})

function whyOf(workResult: WorkResult<PostconditionFinding>): string {
  if (workResult.aborted !== undefined) return workResult.aborted
  return workResult.type === "error" ? describeThrown(workResult.error) : "there was no result"
}
