import type { ToolContext } from "../../agent/tool.ts"
import type { SignalHolder } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { CommandOptions, CommandOutcome } from "../ports/hooked.ts"
import { resolveAccesses } from "../rights/accesses.ts"
import { commandTool } from "../rights/pattern.ts"
import { readMomentName } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { createToolContext, executeTool } from "./execute-tool.ts"
import { isUserHook, judgeCommand } from "./hook-rights.ts"

/**
 * Runs a command of a hook with the tool that runs commands. Its start is recorded first, so that a crash
 * never makes it run twice. Its input comes over standard input and the environment, and is not part of the
 * command line.
 */
export async function runHookCommand(
  drive: Drive,
  call: OpenCall,
  hook: Hook,
  line: string,
  { input, timeout = 60_000 }: CommandOptions,
  running: SignalHolder,
): Promise<CommandOutcome> {
  const { environment, state, recorder, tree } = drive
  const tool = environment.tools.get(commandTool)
  if (tool?.kind !== "function") return { problem: `the tool ${commandTool} is not available here` }
  if (!isUserHook(environment, hook) && !((await tree.ceiling(state)).ceiling?.includes(commandTool) ?? true))
    return { problem: `the tree of this run was started without the tool ${commandTool}` }
  const commandInput = { command: line, timeout }
  const accesses = await resolveAccesses(environment, commandTool, commandInput, state.run, state.start!)
  const { decision, of } = judgeCommand(drive, hook, { tool: commandTool, ...(accesses && { accesses }) })
  if (decision === "deny") return { problem: `its command is denied by the rules of ${of}` }
  if (decision === "ask")
    return {
      problem: `its command needs approval by the rules of ${of}, and a hook cannot ask for approval`,
    }
  await recorder.record({ type: "hook-start", call: call.id, hook: hook.name, command: line }, { sync: true })
  if (readMomentName(call.id) === "run_end" ? drive.isEnded : drive.isStopped)
    return { problem: "the run is stopping" }
  const { text, evidence } = await executeTool(drive, tool, {
    tool: commandTool,
    input: commandInput,
    context: { ...createToolContext(drive, call, running), signal: running.signal, handed: passInput(input) },
  })
  const exitCode = typeof evidence === "object" ? evidence.commands?.[0]?.exitCode : undefined
  if (exitCode === undefined) return { problem: String(text ?? "its end is unknown") }
  return { exitCode, text: environment.models.redact(String(text ?? "")) }
}

/** A variable holds only as much as the kernel accepts. Longer input comes over standard input alone. */
const passInput = (input: string): ToolContext["handed"] => ({
  input: `${input}\n`,
  environment: input.length > 30_000 ? {} : { CADRE_HOOK_INPUT: input },
})
