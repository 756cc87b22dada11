import type { Postcondition } from "../../agent/postcondition.ts"
import type { FunctionTool } from "../../agent/tool.ts"
import { messageOf } from "../../ground/errors.ts"
import type { Action } from "../decide/action.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import { checkKey } from "../log/id.ts"
import type { Finding } from "../ports/checking.ts"
import type { Settled, Signalled } from "../ports/effect.ts"
import { accessesOf } from "../rights/accesses.ts"
import { binding } from "../rights/binding-sets.ts"
import { isWorkflowHook } from "../rights/hooks.ts"
import { commandTool } from "../rights/pattern.ts"
import { judge } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import { describeAccess, hookLost } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"
import type { Drive } from "./drive-view.ts"
import { contextOf, execute } from "./execute-tool.ts"
import { judgementOf } from "./hook-call.ts"

type Check = Extract<Action, { type: "check" }>

/**
 * Looks whether everything holds that must, one after the other, and records what it found. After a crash in the middle all
 * of it is looked at again: by being written as a postcondition a command is declared to be repeatable. The command of a
 * hook that judges it is not: then its postcondition does not hold, and is looked at after another turn.
 */
export async function check(drive: Drive, action: Check): Promise<void> {
  const { recorder, definition, state } = drive
  if (drive.stopped) return
  const { turn } = state
  await recorder.record({ type: "check-start", turn }, { sync: true })
  const results: PostconditionResult[] = []
  for (const condition of definition.agent.postconditions ?? [])
    results.push(resultOf(drive, condition, await settle(drive, action, condition, results.length)))
  await recorder.record({ type: "check-end", turn, results })
}

function settle(
  drive: Drive,
  action: Check,
  condition: Postcondition,
  index: number,
): Promise<Settled<Finding>> | Settled<Finding> {
  if (drive.stopped) return { type: "abandoned", aborted: "the run is stopping" }
  const tool = "command" in condition ? drive.environment.tools.get(commandTool) : undefined
  return drive.run("check", (running) => look(drive, action, condition, index, running), {
    timeout: tool?.timeout ?? drive.state.start!.limits.toolTimeout,
  })
}

async function look(
  drive: Drive,
  { output, value, lost }: Check,
  condition: Postcondition,
  index: number,
  running: Signalled,
): Promise<Finding> {
  const { state, environment } = drive
  if (!environment.checkPostcondition) return refused("this runtime has nothing to check it with")
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
      judge(binding(state.rights), { tool: "Read", accesses: [access] }, state.start!.moved).decision ===
      "allow",
    command: async (line, timeout) =>
      lost === undefined
        ? runCommand(drive, { command: line, ...(timeout !== undefined && { timeout }) }, index, running)
        : { holds: false, problem: hookLost(lost) },
  })
}

/** Through the gate that every call goes through, except that nobody is asked: what would have to be asked is not run. */
async function runCommand(
  drive: Drive,
  wanted: { readonly command: string; readonly timeout?: number },
  index: number,
  running: Signalled,
): Promise<Finding> {
  const { state, environment } = drive
  const tool = environment.tools.get(commandTool)
  if (tool?.kind !== "function") return refused(`the tool ${commandTool} is not to be had here`)
  const id = checkKey(state.turn, index)
  const call: OpenCall = {
    id,
    wire: id,
    tool: commandTool,
    arguments: JSON.stringify(wanted),
    kind: "function",
    effect: "idempotent",
    status: "approved",
  }
  // A step says what the model may use; what must hold is looked at in any of them.
  const hooks = state.hooks.filter((name) => !isWorkflowHook(name))
  const judged = hooks.length > 0 ? await judgementOf(drive, call, running, hooks) : undefined
  const hooked = judged?.verdict
  if (hooked?.type === "block") return refused(hooked.reason)
  const handed = judged?.spawns?.find(({ mode }) => mode !== "background")
  if (handed) return refused(`hook "${handed.hook}" hands the command to the agent ${handed.agent}`)
  const input = hooked?.type === "rewrite" ? JSON.parse(hooked.arguments) : wanted
  const accesses =
    hooked?.type === "rewrite"
      ? hooked.accesses
      : await accessesOf(environment, commandTool, input, state.run, state.start!)
  const judgement = judge(
    binding(state.rights),
    { tool: commandTool, ...(accesses && { accesses }) },
    state.start!.moved,
  )
  if (judgement.decision !== "allow") return refused(refusal(judgement))
  const checked = await tool.validate(input)
  if ("problem" in checked) return refused(checked.problem)
  return findingOf(await run(drive, tool, call, checked.value, running))
}

const run = (drive: Drive, tool: FunctionTool, call: OpenCall, input: unknown, running: Signalled) =>
  execute(drive, tool, { tool: commandTool, input, context: contextOf(drive, call, running) })

function findingOf({ text, isError, evidence }: Awaited<ReturnType<typeof execute>>): Finding {
  const seen = evidence === undefined || evidence === "wrong" ? {} : { evidence }
  if (typeof text !== "string" || evidence === "wrong")
    return { holds: false, problem: `the tool ${commandTool} gave no result that can be read` }
  return isError ? { holds: false, problem: text, ...seen } : { holds: true, ...seen }
}

function refusal({ decision, of, about }: ReturnType<typeof judge>): string {
  const what = about ? ` (${describeAccess(about)})` : ""
  return decision === "deny"
    ? `not permitted: ${commandTool}${what} is denied by the rules of ${of}`
    : `not run: ${commandTool}${what} would have to be asked for, says ${of}, and nobody is asked for a check. Allow the command with a rule`
}

const refused = (problem: string): Finding => ({ holds: false, problem, refused: true })

function resultOf(
  { environment }: Drive,
  condition: Postcondition,
  settled: Settled<Finding>,
): PostconditionResult {
  if (settled.type === "value" && settled.value.holds && settled.aborted === undefined)
    return { condition, holds: true, ...evidenceOf(settled.value) }
  const finding: Finding =
    settled.type === "value" && !settled.value.holds
      ? settled.value
      : { holds: false, problem: `it could not be checked: ${whyOf(settled)}` }
  return {
    condition,
    holds: false,
    // Before it is cut, which could leave half a key.
    problem: boundText(environment.models.redact(String(finding.problem)), longestProblem).text,
    ...(finding.refused && { refused: true }),
    ...evidenceOf(finding),
  }
}

const longestProblem = 2_000

const evidenceOf = ({ evidence }: Finding) => (evidence ? { evidence } : {})

function whyOf(settled: Settled<Finding>): string {
  if (settled.aborted !== undefined) return settled.aborted
  return settled.type === "error" ? messageOf(settled.error) : "nothing was found"
}
