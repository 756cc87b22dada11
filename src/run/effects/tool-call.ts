import type { FunctionTool } from "../../agent/tool.ts"
import { messageOf } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import { notBecauseOfIt, parseArguments } from "../begin/inspect.ts"
import type { CallResult, Fact, ToolEnd } from "../log/event.ts"
import { settling } from "../log/tool-usage.ts"
import type { Settled, Signalled } from "../ports/effect.ts"
import type { OpenCall } from "../state/open-call.ts"
import { abandoned, toolGone } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"
import { attachResult } from "./attach-result.ts"
import type { Drive } from "./drive-view.ts"
import { contextOf, execute, type ReadOutput } from "./execute-tool.ts"
import { endHooked } from "./hook-call.ts"
import { outdated } from "./plan.ts"

/** Runs a tool function and records what it came to. Whatever goes wrong is a result; none of it stops the run. */
export async function callTool(drive: Drive, call: OpenCall): Promise<void> {
  const { environment, recorder } = drive
  const tool = environment.tools.get(call.tool)
  const checked = await checkArguments(drive, call)
  if (drive.stopped) return
  if (tool?.kind !== "function" || "problem" in checked) {
    const text = "problem" in checked ? checked.problem : toolGone(call.tool)
    return recorder.record({ type: "tool-end", call: call.id, result: { status: "error", text } })
  }
  const input = checked.value
  const refused = await outdated(drive, input)
  if (drive.stopped) return
  if (refused !== undefined)
    return recorder.record({ type: "tool-end", call: call.id, result: { status: "error", text: refused } })
  const resource = resourceOf(tool, input)
  if (typeof resource === "object")
    return recorder.record({
      type: "tool-end",
      call: call.id,
      result: { status: "error", text: resource.problem },
    })
  if (resource === undefined) return run(drive, call, tool, input)
  const turn = environment.locks.wait(resource)
  try {
    if ((await drive.settle(call.id, turn)) === "begin") await run(drive, call, tool, input)
  } finally {
    turn.leave()
  }
}

async function run(drive: Drive, call: OpenCall, tool: FunctionTool, input: unknown): Promise<void> {
  const { recorder } = drive
  // The run may have been stopped while this call waited; and a stop may be recorded just before its start is.
  if (drive.stopped) return
  await recorder.record({ type: "tool-start", call: call.id }, call.effect === "opaque" ? { sync: true } : {})
  if (drive.stopped) return recorder.record(notRun(call))
  const timeout = tool.timeout ?? drive.state.start!.limits.toolTimeout
  const work = async (running: Signalled) =>
    execute(drive, tool, { tool: call.tool, input, context: contextOf(drive, call, running) })
  const settled = await drive.run(call.id, work, { timeout })
  const { warnings, ...result } = await resultOf(drive, call, settled, tool.resultBytes)
  if (drive.state.hooks.length > 0) return endHooked(drive, call, result, warnings)
  await recorder.record(
    { type: "tool-end", call: call.id, result, ...(warnings && { warnings }) },
    settling(result),
  )
}

/** Of a call that had its start recorded when the run was stopped: nobody else would end it. */
export const notRun = ({ id }: OpenCall): Fact => ({
  type: "tool-end",
  call: id,
  result: { status: "skipped", text: "Not run: the run is stopping." },
})

/** The validated input of a call, from the argument text in the log. */
export async function checkArguments(
  drive: Drive,
  call: OpenCall,
): Promise<{ value: unknown } | { problem: string }> {
  const known = drive.takeInput(call.id)
  // A hook may have rewritten the text since.
  if (known?.text === call.arguments) return known
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed
  const validate = drive.definition.validate(call.tool)
  return validate
    ? validate(parsed.value).catch((error) => ({
        problem: isOutOfFiles(error) ? notBecauseOfIt(call.tool) : messageOf(error),
      }))
    : parsed
}

async function resultOf(
  drive: Drive,
  call: OpenCall,
  settled: Settled<ReadOutput>,
  most?: number,
): Promise<CallResult & Pick<ToolEnd, "warnings">> {
  switch (settled.type) {
    case "abandoned":
      return abandoned(call.tool, settled.aborted)
    case "error": {
      const why =
        settled.aborted === undefined ? failureText(call, settled.error) : `Stopped: ${settled.aborted}.`
      return {
        status: "error",
        ...(await bounded(drive, why || "The tool failed without saying why.")),
        ...(why.includes(outOfFiles) && { warnings: [`A ${call.tool} call failed: ${outOfFiles}.`] }),
      }
    }
    case "value": {
      const { text, isError, partial, usage, evidence, attachments } = settled.value
      if (typeof text !== "string")
        return {
          status: "error",
          text: `The tool ${call.tool} returned no text. This is a fault of the tool.`,
        }
      const wrong = Object.entries({ evidence, usage, attachments }).find(([, value]) => value === "wrong")
      if (evidence === "wrong" || usage === "wrong" || attachments === "wrong")
        return {
          status: "error",
          text: `The tool ${call.tool} told of its ${wrong![0]} in a wrong shape. This is a fault of the tool.`,
        }
      const attached = attachments?.length ? await attachResult(drive, attachments) : undefined
      return {
        status: isError ? "error" : "ok",
        ...withNotes(await bounded(drive, text, most), attached?.notes),
        ...(isError && typeof partial === "string" && (await boundedPart(drive, partial))),
        ...(usage && { usage }),
        ...(evidence && { evidence }),
        ...(attached?.attachments.length && { attachments: attached.attachments }),
        ...(attached?.warnings.length && { warnings: attached.warnings }),
      }
    }
  }
}

/** What a tool threw. That the process has run out of files is no fault of the call, whatever words it came in. */
const failureText = ({ tool }: OpenCall, error: unknown): string =>
  isOutOfFiles(error)
    ? `This ${tool} call failed, and not for anything in it: ${outOfFiles}. It may have begun; look before you repeat it.`
    : messageOf(error)

/** Below the text as it was cut, so that they stay. */
const withNotes = <Bounded extends { readonly text: string }>(
  bounded: Bounded,
  notes: readonly string[] = [],
): Bounded => (notes.length === 0 ? bounded : { ...bounded, text: [bounded.text, ...notes].join("\n") })

/** A long text is cut for the model and kept whole as a blob. */
async function bounded(
  { environment, state }: Drive,
  raw: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ text: string; full?: string }> {
  // Before it is cut, which could leave half a key.
  const clean = environment.models.redact(raw)
  const { text, cut } = boundText(clean, Math.min(most, state.start!.limits.maxResultBytes ?? 50_000))
  if (!cut) return { text }
  return { text, full: await environment.store.putBlob(state.run, clean.toWellFormed()) }
}

async function boundedPart(drive: Drive, partial: string): Promise<Pick<CallResult, "partial" | "full">> {
  const { text, ...whole } = await bounded(drive, partial)
  return text.trim() === "" ? {} : { partial: text, ...whole }
}

/** What throws here is foreign code like the tool itself. */
function resourceOf(tool: FunctionTool, input: unknown): string | undefined | { problem: string } {
  try {
    const key = tool.resource?.(input)
    return key === undefined ? undefined : String(key)
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
