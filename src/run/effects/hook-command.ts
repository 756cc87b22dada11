import type { ToolContext } from "../../agent/tool.ts"
import type { Signalled } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { CommandEnd, CommandOptions } from "../ports/hooked.ts"
import { accessesOf } from "../rights/accesses.ts"
import { commandTool } from "../rights/pattern.ts"
import { momentOf } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { contextOf, execute } from "./execute-tool.ts"
import { isPersons, judgeCommand } from "./hook-rights.ts"

/**
 * Runs a command of a hook with the tool that runs commands. Its start is recorded first, so that it is never run again
 * after a crash. What it is told comes over its input and environment, and nothing of that stands in the command.
 */
export async function hookCommand(
  drive: Drive,
  call: OpenCall,
  hook: Hook,
  line: string,
  { input, timeout = 60_000 }: CommandOptions,
  running: Signalled,
): Promise<CommandEnd> {
  const { environment, state, recorder, tree } = drive
  const tool = environment.tools.get(commandTool)
  if (tool?.kind !== "function") return { problem: `the tool ${commandTool} is not to be had here` }
  if (!isPersons(environment, hook) && !((await tree.ceiling(state)).ceiling?.includes(commandTool) ?? true))
    return { problem: `the tree of this run was started without the tool ${commandTool}` }
  const wanted = { command: line, timeout }
  const accesses = await accessesOf(environment, commandTool, wanted, state.run, state.start!)
  const { decision, of } = judgeCommand(drive, hook, { tool: commandTool, ...(accesses && { accesses }) })
  if (decision === "deny") return { problem: `its command is denied by the rules of ${of}` }
  if (decision === "ask")
    return {
      problem: `its command would have to be asked for, say the rules of ${of}, and nobody is asked for a hook`,
    }
  await recorder.record({ type: "hook-start", call: call.id, hook: hook.name, command: line }, { sync: true })
  if (momentOf(call.id) === "run_end" ? drive.ended : drive.stopped) return { problem: "the run is stopping" }
  const { text, evidence } = await execute(drive, tool, {
    tool: commandTool,
    input: wanted,
    context: { ...contextOf(drive, call, running), signal: running.signal, handed: handedAs(input) },
  })
  const exitCode = typeof evidence === "object" ? evidence.commands?.[0]?.exitCode : undefined
  if (exitCode === undefined) return { problem: String(text ?? "nothing is known of its end") }
  return { exitCode, text: environment.models.redact(String(text ?? "")) }
}

/** A variable holds no more than the kernel takes as one; whatever is longer comes on the input alone. */
const handedAs = (input: string): ToolContext["handed"] => ({
  input: `${input}\n`,
  environment: input.length > 30_000 ? {} : { CADRE_HOOK_INPUT: input },
})
