import type { ToolQuestion } from "../../agent/question.ts"
import type { SamplingRequest } from "../../agent/sampling.ts"
import type { FunctionTool, Tool } from "../../agent/tool.ts"
import { describeThrown } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import { describeOutOfFiles, parseArguments } from "../begin/inspect.ts"
import { readClock } from "../log/clock.ts"
import type { CallResult, Fact, ToolEnd } from "../log/event.ts"
import { chargeForUsage } from "../log/tool-usage.ts"
import type { SignalHolder, WorkResult } from "../ports/effect.ts"
import type { OpenCall } from "../state/open-call.ts"
import { createAbandonedResult, createUnknownResult, describeToolGone } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"
import { attachResult } from "./attach-result.ts"
import { findDecisionCause } from "./decided-by.ts"
import type { Drive } from "./drive-view.ts"
import { type CheckedOutput, createToolContext, executeTool } from "./execute-tool.ts"
import { endCallWithHooks } from "./hook-call.ts"
import { findOutdatedReason } from "./plan.ts"

/** Runs a tool function and records its result. Every failure is a result; none of them stops the run. */
export async function callTool(drive: Drive, call: OpenCall): Promise<void> {
  const { environment, recorder } = drive
  const tool = findPinnedTool(drive, call.tool)
  const checked = await checkArguments(drive, call)
  if (drive.isStopped) return
  if (tool?.kind !== "function" || "problem" in checked) {
    const text = "problem" in checked ? checked.problem : describeToolGone(call.tool)
    return recorder.record({ type: "tool-end", call: call.id, result: { status: "error", text } })
  }
  const input = checked.value
  const outdatedReason = await findOutdatedReason(drive, input)
  if (drive.isStopped) return
  if (outdatedReason !== undefined)
    return recorder.record({
      type: "tool-end",
      call: call.id,
      result: { status: "error", text: outdatedReason },
    })
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

/** The registered tool, unless it belongs to another MCP server than when the run began. */
function findPinnedTool({ environment, definition }: Drive, name: string): Tool | undefined {
  const tool = environment.tools.get(name)
  const { server } = definition.byName.get(name) ?? {}
  // Older runs do not say which server they had. It was one of the configuration.
  if (!server) return tool?.server?.brought ? undefined : tool
  return tool?.server?.entry === server.entry ? tool : undefined
}

async function run(drive: Drive, call: OpenCall, tool: FunctionTool, input: unknown): Promise<void> {
  const { recorder } = drive
  // The run may have been stopped while this call waited, and a stop may be recorded just before the call's
  // start.
  const cause = findDecisionCause(drive, call)
  const by = cause instanceof Promise ? await cause : cause
  if (drive.isStopped) return
  await recorder.record(
    { type: "tool-start", call: call.id, ...(by && { by }) },
    call.effect === "opaque" ? { sync: true } : {},
  )
  if (drive.isStopped) return recorder.record(createSkippedEnd(call))
  const timeout = tool.timeout ?? drive.state.start!.limits.toolTimeout
  const work = async (running: SignalHolder) =>
    executeTool(drive, tool, { tool: call.tool, input, context: createToolContext(drive, call, running) })
  const workResult = await drive.run(call.id, work, { timeout })
  const question = questionOf(workResult)
  if (question && !drive.isStopped) return askPerson(drive, call, question)
  const request = requestOf(workResult)
  if (request && !drive.isStopped) return recorder.record({ type: "sampling-ask", call: call.id, request })
  const { warnings, ...result } = await resultOf(drive, call, workResult, tool.resultBytes)
  // Hooks have to see every result, and none starts now. The next owner settles the call.
  if (drive.state.hooks.length > 0 && drive.isReleased) return
  if (drive.state.hooks.length > 0) return endCallWithHooks(drive, call, result, warnings && { warnings })
  await recorder.record(
    { type: "tool-end", call: call.id, result, ...(warnings && { warnings }) },
    chargeForUsage(result),
  )
}

/** The question that a call was left with. A call that was told to stop asks nothing. */
const questionOf = (workResult: WorkResult<CheckedOutput>): ToolQuestion | undefined =>
  workResult.type === "value" && workResult.aborted === undefined && typeof workResult.value.asks === "object"
    ? workResult.value.asks
    : undefined

const requestOf = (workResult: WorkResult<CheckedOutput>): SamplingRequest | undefined =>
  workResult.type === "value" &&
  workResult.aborted === undefined &&
  typeof workResult.value.samples === "object"
    ? workResult.value.samples
    : undefined

/** Records that the call waits for a person. Its function is called again with the answer. */
function askPerson(
  { recorder, state }: Drive,
  { id, questions = 0 }: OpenCall,
  question: ToolQuestion,
): Promise<void> {
  const { approvalTimeout } = state.start!.limits
  return recorder.record({
    type: "approval-start",
    call: id,
    ...(approvalTimeout !== undefined && { expires: readClock() + approvalTimeout }),
    question,
    number: questions + 1,
  })
}

/** Ends a call whose start was recorded when the run was stopped: no other code would end it. */
export const createSkippedEnd = ({ id }: OpenCall): Fact => ({
  type: "tool-end",
  call: id,
  result: { status: "skipped", text: "Not run: the run is stopping." },
})

/** The validated input of a call, from the argument text in the log. */
export async function checkArguments(
  drive: Drive,
  call: OpenCall,
): Promise<{ value: unknown } | { problem: string }> {
  const cached = drive.inputs.take(call.id)
  // A hook may have rewritten the text since.
  if (cached?.text === call.arguments) return cached
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed
  const validate = drive.definition.validate(call.tool)
  return validate
    ? validate(parsed.value).catch((error) => ({
        problem: isOutOfFiles(error) ? describeOutOfFiles(call.tool) : describeThrown(error),
      }))
    : parsed
}

async function resultOf(
  drive: Drive,
  call: OpenCall,
  workResult: WorkResult<CheckedOutput>,
  most?: number,
): Promise<CallResult & Pick<ToolEnd, "warnings">> {
  switch (workResult.type) {
    case "abandoned":
      return createAbandonedResult(call.tool, workResult.aborted)
    case "error": {
      const why =
        workResult.aborted === undefined
          ? failureText(call, workResult.error)
          : `Stopped: ${workResult.aborted}.`
      return {
        status: "error",
        ...(await bounded(drive, why || "The tool failed without saying why.")),
        ...(why.includes(outOfFiles) && { warnings: [`A ${call.tool} call failed: ${outOfFiles}.`] }),
      }
    }
    case "value": {
      const { text, isError, asks, partial, samples, usage, evidence, attachments } = workResult.value
      if (typeof text !== "string")
        return {
          status: "error",
          text: `The tool ${call.tool} returned no text. This is a bug in the tool.`,
        }
      if (workResult.value.isUnknown)
        return { status: "unknown", toldByTool: true, ...(await bounded(drive, text)) }
      if (typeof asks === "object" || typeof samples === "object") return createUnknownResult(call.tool)
      const wrong = Object.entries({ asks, samples, evidence, usage, attachments }).find(
        ([, value]) => value === "wrong",
      )
      if (
        asks === "wrong" ||
        samples === "wrong" ||
        evidence === "wrong" ||
        usage === "wrong" ||
        attachments === "wrong"
      )
        return {
          status: "error",
          text: `The tool ${call.tool} returned ${wrong![0]} in an invalid shape. This is a bug in the tool.`,
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

/**
 * The text of a tool's error. If the process is out of file handles, that is not the fault of the call,
 * however the error is worded.
 */
const failureText = ({ tool }: OpenCall, error: unknown): string =>
  isOutOfFiles(error)
    ? `This ${tool} call failed for a reason outside of it: ${outOfFiles}. It may have started: check before you repeat it.`
    : describeThrown(error)

/** Adds notes below the cut text, so that they are not cut. */
const withNotes = <Bounded extends { readonly text: string }>(
  bounded: Bounded,
  notes: readonly string[] = [],
): Bounded => (notes.length === 0 ? bounded : { ...bounded, text: [bounded.text, ...notes].join("\n") })

/** Cuts a long text for the model and stores the whole as a blob. */
async function bounded(
  { environment, state }: Drive,
  raw: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ text: string; full?: string }> {
  // Redacted before it is cut, because a cut could leave half a key.
  const clean = environment.models.redact(raw)
  const { text, cut } = boundText(clean, Math.min(most, state.start!.limits.maxResultBytes ?? 50_000))
  if (!cut) return { text }
  return { text, full: await environment.store.putBlob(state.run, clean.toWellFormed()) }
}

async function boundedPart(drive: Drive, partial: string): Promise<Pick<CallResult, "partial" | "full">> {
  const { text, ...whole } = await bounded(drive, partial)
  return text.trim() === "" ? {} : { partial: text, ...whole }
}

/** The tool's function is foreign code and may throw. */
function resourceOf(tool: FunctionTool, input: unknown): string | undefined | { problem: string } {
  try {
    const key = tool.resource?.(input)
    return key === undefined ? undefined : String(key)
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}
