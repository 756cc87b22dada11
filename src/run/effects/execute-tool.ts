import type { ToolDefinition } from "../../agent/agent.ts"
import type { ToolQuestion } from "../../agent/question.ts"
import type { SamplingRequest } from "../../agent/sampling.ts"
import type { FunctionTool, ToolContext, ToolEvidence, ToolOutput, WorkPlace } from "../../agent/tool.ts"
import type { AttachmentData } from "../../ground/message.ts"
import { readAttachments } from "../begin/attach.ts"
import type { UsageByModel } from "../log/event-outcome.ts"
import { readToolUsage } from "../log/tool-usage.ts"
import { compose } from "../ports/compose.ts"
import type { SignalHolder } from "../ports/effect.ts"
import type { ToolInvocation } from "../ports/layers.ts"
import { findDenial } from "../rights/find-denial.ts"
import { findForbiddenPaths, judge } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { getInjectedInputs } from "./injected-inputs.ts"

/** Calls the tool's function, through the layers around it. */
export async function executeTool(
  drive: Drive,
  tool: FunctionTool,
  invocation: ToolInvocation,
): Promise<CheckedOutput> {
  const run = compose(drive.environment.layers.tool ?? [], async ({ input, context }: ToolInvocation) => {
    const output = await tool.execute(input, context)
    return typeof output === "string" ? { text: output } : output
  })
  // Read here, where an error counts as the tool's failure: the output is foreign and may have getters.
  const output: Partial<ToolOutput> = (await run(invocation)) ?? {}
  const { text, isError, isUnknown, asks, samples, partial, usage, evidence, attachments } = output
  return {
    text,
    isError: Boolean(isError),
    isUnknown: Boolean(isUnknown),
    asks: asks === undefined ? undefined : readQuestion(asks),
    samples: samples === undefined ? undefined : readRequest(samples),
    partial,
    usage: usage === undefined ? undefined : (readToolUsage(usage) ?? "wrong"),
    evidence: evidence === undefined ? undefined : readEvidence(evidence),
    attachments: attachments === undefined ? undefined : readAttachments(attachments),
  }
}

export const createToolContext = (drive: Drive, call: OpenCall, running: SignalHolder): ToolContext => ({
  run: drive.state.run,
  call: call.id,
  key: `${drive.state.run}:${call.id}${call.afterLoss ? `:${call.afterLoss}` : ""}`,
  agent: drive.state.start!.agent,
  depth: drive.state.start!.depth,
  cwd: drive.state.start!.cwd,
  ...(drive.state.start!.moved && { moved: drive.state.start!.moved }),
  ...(drive.state.confinement && { confinement: drive.state.confinement }),
  ...(call.programQuestion && {
    answered: { question: call.programQuestion, answer: call.answered ?? { action: "cancel" } },
  }),
  ...(call.sampling?.reply && {
    sampled: { request: call.sampling.request, reply: call.sampling.reply },
  }),
  ...(call.status === "interrupted" && { repeated: true as const }),
  ...listedOf(drive, call.tool),
  ...getInjectedInputs(drive.definition.agent.origin.format, drive.state),
  seen: (path) => drive.state.seen.get(path),
  permits: (access, as = call.tool) =>
    judge(drive.state.rights, { tool: as, accesses: [access] }, drive.state.start!.moved).decision !==
      "deny" &&
    (as === call.tool || findDenial(drive.state.rights, as, drive.environment.tools) === undefined),
  ...bringing(drive, call),
  ...keepingChanges(drive, call),
  forbidden: () => findForbiddenPaths(drive.state.rights),
  get signal() {
    return running.signal
  },
})

/** Keeping changes loads with the first change. */
function keepingChanges(drive: Drive, { id }: OpenCall): Pick<ToolContext, "changes"> {
  const { keeps } = drive.environment
  if (keeps === "nothing") return {}
  return {
    changes: {
      commands: keeps === "all" ? "watched" : "unwatched",
      make: async (write, work) => (await loadKeeping()).keepChange(drive, id, write, work),
      tell: async (seen) => (await loadKeeping()).keepSeenChanges(drive, id, seen),
    },
  }
}

const loadKeeping = () => import("./keep-changes.ts")

const findToolDefinition = ({ definition }: Drive, tool: string): ToolDefinition | undefined =>
  definition.agent.toolDefinitions?.find(({ name }) => name === tool)

/** The place of a call before it runs, for a tool that says what it would do. */
export function workPlaceOf(drive: Drive, tool: string): WorkPlace {
  const { cwd, moved } = drive.state.start!
  const toolDefinition = findToolDefinition(drive, tool)
  return { cwd, ...(moved && { moved }), ...(toolDefinition && { toolDefinition }) }
}

/** The definition's own part of a tool, with the notes of a call that may run again. */
function bringing(
  drive: Drive,
  { id, tool }: OpenCall,
): Pick<ToolContext, "toolDefinition" | "notes" | "note"> {
  const toolDefinition = findToolDefinition(drive, tool)
  if (!toolDefinition) return {}
  return {
    toolDefinition,
    get notes() {
      return drive.state.calls.toArray().find((call) => call.id === id)?.notes ?? []
    },
    note: (note, until) =>
      drive.recorder.record({ type: "tool-note", call: id, note }, until === "synced" ? { sync: true } : {}),
  }
}

const listedOf = ({ definition }: Drive, tool: string): Pick<ToolContext, "listed"> => {
  const listed = definition.byName.get(tool)?.listed
  return listed === undefined ? {} : { listed }
}

/** The output of a tool, with invalid parts marked. */
export interface CheckedOutput {
  readonly text: unknown
  readonly isError: boolean
  readonly isUnknown: boolean
  readonly asks: ToolQuestion | "wrong" | undefined
  readonly samples: SamplingRequest | "wrong" | undefined
  readonly partial: unknown
  readonly usage: UsageByModel | "wrong" | undefined
  readonly evidence: ToolEvidence | "wrong" | undefined
  readonly attachments: readonly AttachmentData[] | "wrong" | undefined
}

/** Copies the question as JSON, because it stays in the log. */
function readQuestion(asks: ToolQuestion): ToolQuestion | "wrong" {
  if (typeof asks?.from !== "string" || typeof asks.text !== "string") return "wrong"
  return JSON.parse(JSON.stringify(asks)) as ToolQuestion
}

function readRequest(samples: SamplingRequest): SamplingRequest | "wrong" {
  const { from, messages, maxTokens, allowed } = samples ?? {}
  const isValid =
    typeof from === "string" &&
    Array.isArray(messages) &&
    messages.every((one) => typeof one?.text === "string") &&
    [maxTokens, allowed?.requests, allowed?.tokens].every((amount) => Number.isFinite(amount))
  return isValid ? (JSON.parse(JSON.stringify(samples)) as SamplingRequest) : "wrong"
}

/** Checks and bounds the evidence, because it stays in the state of the run for good. */
function readEvidence(evidence: ToolEvidence): ToolEvidence | "wrong" {
  if (typeof evidence !== "object" || evidence === null) return "wrong"
  const { read = [], files = [], commands = [] } = evidence
  const isValid =
    [read, files, commands].every(Array.isArray) &&
    [...read, ...files].every((file) => typeof file?.path === "string" && typeof file.hash === "string") &&
    commands.every((entry) => typeof entry?.command === "string" && Number.isFinite(entry.exitCode))
  if (!isValid) return "wrong"
  return {
    ...(read.length > 0 && { read: read.slice(0, maxEvidence).map(fileOf) }),
    files: files.slice(0, maxEvidence).map(fileOf),
    commands: commands.slice(0, maxEvidence).map(({ command, exitCode }) => ({ command, exitCode })),
  }
}

const maxEvidence = 10_000

const fileOf = ({ path, hash }: { path: string; hash: string }) => ({ path, hash })
