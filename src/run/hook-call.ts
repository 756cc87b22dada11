import { messageOf } from "../errors.ts"
import type { Json } from "../message.ts"
import { accessesOf } from "./accesses.ts"
import type { Drive } from "./drive.ts"
import type { Verdict } from "./event.ts"
import { parseArguments } from "./inspect.ts"
import type { OpenCall } from "./state.ts"

/** Puts a call before the run's hooks, in order, and records what they came to. What fails to judge, blocks. */
export async function judgeHooks(drive: Drive, call: OpenCall): Promise<void> {
  const settled = await drive.run(call.id, ({ signal }) => verdictOf(drive, call, signal), {
    timeout: drive.state.start!.limits.toolTimeout,
  })
  if (drive.stopped) return
  const verdict: Verdict =
    settled.type === "value"
      ? settled.value
      : {
          type: "block",
          reason: `a hook failed: ${settled.type === "error" ? messageOf(settled.error) : settled.aborted}`,
        }
  await drive.recorder.record({ type: "hook-end", call: call.id, verdict })
}

export async function verdictOf(drive: Drive, call: OpenCall, signal: AbortSignal): Promise<Verdict> {
  const { state, environment, definition } = drive
  let text = call.arguments
  let checked: { readonly value: unknown } | undefined
  for (const name of state.hooks) {
    const hook = environment.hooks.get(name)
    if (!hook) return { type: "block", reason: `hook "${name}" is no longer registered` }
    const parsed = parseArguments(text)
    if ("problem" in parsed) return { type: "block", reason: parsed.problem }
    const input = parsed.value as { [name: string]: Json }
    const verdict = await hook.judge(
      {
        run: state.run,
        agent: state.start!.agent,
        depth: state.start!.depth,
        call: call.id,
        tool: call.tool,
        input,
      },
      signal,
    )
    if (verdict.type === "block")
      return { type: "block", reason: String(verdict.reason ?? "no reason was given") }
    if (verdict.type === "pass") continue
    if (verdict.type !== "rewrite")
      return { type: "block", reason: `hook "${name}" gave no verdict that is known` }
    const rewritten = parseArguments(verdict.arguments)
    const valid =
      "problem" in rewritten
        ? rewritten
        : ((await definition.validate(call.tool)?.(rewritten.value)) ?? rewritten)
    if ("problem" in valid)
      return { type: "block", reason: `hook "${name}" rewrote the arguments wrongly: ${valid.problem}` }
    checked = valid
    text = verdict.arguments
  }
  if (text === call.arguments || !checked) return { type: "pass" }
  // As the tool will have it: an argument may have several names.
  const accesses = await accessesOf(environment, call.tool, checked.value, state.run, state.start!)
  return { type: "rewrite", arguments: text, ...(accesses && { accesses }) }
}
