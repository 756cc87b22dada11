import type { RunControl } from "../../agent/tool.ts"
import { describeThrown, listKnownNames } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import { isOutOfFiles } from "../../ground/out-of-files.ts"
import { describeOutOfFiles } from "../begin/inspect.ts"
import { readRunStart } from "../begin/load.ts"
import { readClock } from "../log/clock.ts"
import type { CallResult, Waiting } from "../log/event.ts"
import { findParentRun, getRootRun, toFullRunId } from "../log/id.ts"
import type { RunHead } from "../log/store.ts"
import { getAgentAccess } from "../rights/agent-access.ts"
import { mayCall } from "../rights/callable.ts"
import type { OpenCall } from "../state/open-call.ts"
import { splitPages } from "../words/pages.ts"
import { describeNoModel, describeToolGone, reportPage, writeMessageFrom } from "../words/prompt.ts"
import { findDecisionCause } from "./decided-by.ts"
import type { Drive } from "./drive-view.ts"
import { endCallWithHooks } from "./hook-call.ts"
import { searchTools } from "./search-tools.ts"
import { checkArguments } from "./tool-call.ts"

/**
 * The calls with which a run acts on the runs around it. They use only letters and the log. So a call that a
 * crash interrupted is simply repeated: its letter has the same key.
 */
export async function executeControlCall(drive: Drive, call: OpenCall): Promise<void> {
  const { recorder } = drive
  const request = await readControl(drive, call)
  const by = await findDecisionCause(drive, call)
  if (drive.isStopped) return
  if ("problem" in request) return recorder.record(endOf(call, fail(request.problem)))
  switch (request.type) {
    case "wait": {
      const waits = waitingFor(drive, request, call)
      if ("problem" in waits) return recorder.record(endOf(call, fail(waits.problem)))
      await recorder.record({ type: "tool-start", call: call.id, ...(by && { by }), waits })
      // All of these runs may have ended already.
      return drive.wake()
    }
    case "ask": {
      const { caller } = drive.state.start!
      if (!caller || drive.definition.withheld.includes(call.tool))
        return recorder.record(endOf(call, fail("This run has no caller to ask.")))
      const { timeout, otherwise, question } = request
      // A question that is repeated after a crash keeps its deadline, and may already have an answer.
      const asks = call.asks ?? {
        expires: readClock() + timeout,
        ...(otherwise !== undefined && { otherwise }),
      }
      await recorder.record({ type: "tool-start", call: call.id, ...(by && { by }), asks })
      if (readClock() < asks.expires)
        drive.tree.post(caller.run, `${drive.state.run}:${call.id}:ask`, {
          type: "child-ask",
          child: drive.state.run,
          question,
        })
      return drive.wake()
    }
    case "search-tools": {
      await recorder.record({ type: "tool-start", call: call.id, ...(by && { by }) })
      const { result, loads } = searchTools(drive.definition, request.query, request.limit)
      return endCallWithHooks(drive, call, result, { loads })
    }
    default: {
      const sends = request.type === "send" ? toFullRunId(drive.state.run, request.to) : undefined
      await recorder.record({
        type: "tool-start",
        call: call.id,
        ...(by && { by }),
        ...(sends !== undefined && { sends }),
      })
      return endCallWithHooks(drive, call, await perform(drive, call, request))
    }
  }
}

type Immediate = Exclude<RunControl, { type: "wait" | "ask" | "search-tools" }>

async function perform(drive: Drive, call: OpenCall, request: Immediate): Promise<CallResult> {
  if (request.type === "result") return resultPage(drive, request)
  const heads = await headsOf(drive)
  switch (request.type) {
    case "status":
      return succeed(status(drive, heads))
    case "cancel": {
      const head = below(drive, heads, request.run)
      if ("problem" in head) return fail(head.problem)
      const key = `${drive.state.run}:${call.id}:cancel`
      const confirmation = succeed(`Run ${head.run} was told to stop. Its report will come as a message.`)
      if (head.status === "ended")
        return (await hasRead(drive, head.run, key))
          ? confirmation
          : succeed(`Run ${head.run} has already ended.`)
      const reason = request.reason ?? "its parent asked it to stop"
      await drive.tree.send(head.run, key, { type: "cancel", reason })
      return confirmation
    }
    case "send": {
      const { run, start } = drive.state
      const key = `${run}:${call.id}:message`
      const to = recipient(drive, heads, request.to)
      if ("problem" in to) return fail(to.problem)
      const confirmation = succeed(`Sent to run ${to.run}, which will read it before its next turn.`)
      if (to.status === "ended")
        return (await hasRead(drive, to.run, key))
          ? confirmation
          : fail(`Run ${to.run} has ended and cannot read messages. Continue it with a new call.`)
      const { kind } = await readRunStart(drive.environment.store, to.run)
      if (kind !== "agent") return fail(describeNoModel(to.run, kind))
      const text = isBelow(drive, to.run)
        ? request.text
        : writeMessageFrom({ run, agent: start!.agent }, request.text)
      await drive.tree.send(to.run, key, { type: "message", from: run, text })
      return confirmation
    }
    case "report": {
      const head = below(drive, heads, request.run)
      if ("problem" in head) return fail(head.problem)
      if (head.status !== "ended") return fail(`Run ${head.run} has not ended, so it has no report yet.`)
      return page(head, await reportOf(drive, head.run), request.page, pageLength(drive))
    }
  }
}

async function readControl(drive: Drive, call: OpenCall): Promise<RunControl | { problem: string }> {
  const tool = drive.environment.tools.get(call.tool)
  if (tool?.kind !== "control") return { problem: describeToolGone(call.tool) }
  const checked = await checkArguments(drive, call)
  if ("problem" in checked) return checked
  try {
    return tool.control(checked.value)
  } catch (error) {
    return { problem: isOutOfFiles(error) ? describeOutOfFiles(call.tool) : describeThrown(error) }
  }
}

function waitingFor(
  { state }: Drive,
  { runs, until, timeout }: Extract<RunControl, { type: "wait" }>,
  { waits: before }: OpenCall,
): Waiting | { problem: string } {
  const open = [...state.children].map(({ run, agent }) => ({ run, agent }))
  const isOwnChild = (run: string) =>
    findParentRun(run) === state.run && Number(run.slice(state.run.length + 1)) <= state.lastChild
  const runIds = runs?.map((text) => toFullRunId(state.run, text))
  const wrong = runIds?.find((run) => !isOwnChild(run))
  if (wrong !== undefined)
    return {
      problem: `You have no subagent run ${JSON.stringify(wrong)}. ${listKnownNames(
        wrong,
        open.map(({ run }) => run),
      )}`,
    }
  return {
    runs: runIds?.map((run) => open.find((one) => one.run === run) ?? { run, agent: "" }) ?? open,
    until,
    ...(timeout !== undefined && { expires: before?.expires ?? readClock() + timeout }),
  }
}

/** The runs of the tree that this run may know of: the runs below it, and its siblings. */
async function headsOf({ environment, state }: Drive): Promise<readonly RunHead[]> {
  const heads: RunHead[] = []
  const above = findParentRun(state.run)
  for await (const head of environment.store.list({ root: getRootRun(state.run) }))
    if (head.run.startsWith(`${state.run}.`) || (above !== undefined && findParentRun(head.run) === above))
      heads.push(head)
  return heads
}

const isBelow = ({ state }: Drive, run: string): boolean => run.startsWith(`${state.run}.`)

function below(drive: Drive, heads: readonly RunHead[], text: string): RunHead | { problem: string } {
  const run = toFullRunId(drive.state.run, text)
  const ownRuns = heads.filter((head) => isBelow(drive, head.run))
  return (
    ownRuns.find((head) => head.run === run) ?? {
      problem: `You have no subagent run ${JSON.stringify(text)}. ${listKnownNames(
        run,
        ownRuns.map((head) => head.run),
      )}`,
    }
  )
}

function recipient(
  drive: Drive,
  heads: readonly RunHead[],
  to: string,
): (Pick<RunHead, "run"> & Partial<Pick<RunHead, "status">>) | { problem: string } {
  const { start, rights } = drive.state
  if (to === "parent" || to === start!.caller?.run)
    return start!.caller ?? { problem: "This run has no caller to write to." }
  const beside = heads.find((head) => head.run === to && !isBelow(drive, head.run))
  const head = beside ?? below(drive, heads, to)
  if ("problem" in head) return head
  const delegation = drive.definition.tools.find(({ kind }) => kind === "delegation")
  if (
    beside &&
    !(
      delegation &&
      mayCall(
        delegation.name,
        drive.definition.agent,
        rights,
        getAgentAccess(drive.environment.agents, beside.agent),
      )
    )
  )
    return {
      problem: `Agent "${drive.definition.agent.name}" may not write to run ${beside.run}, because it may not call agent "${beside.agent}".`,
    }
  return head
}

/** A call that a crash interrupted may have sent its letter, and the recipient may have ended since. */
async function hasRead({ environment }: Drive, run: string, key: string): Promise<boolean> {
  for await (const event of environment.store.read(run))
    if ((event as { readonly key?: unknown }).key === key) return true
  return false
}

function status(drive: Drive, heads: readonly RunHead[]): string {
  const lines = heads
    .filter((head) => findParentRun(head.run) === drive.state.run)
    .map(({ run, agent, status, outcome, startedAt, updatedAt }) => {
      const child = drive.state.children.find((child) => child.run === run)
      const seconds = (time: number) => `${Math.round(time / 1000)} s`
      const how =
        status === "ended"
          ? `ended (${outcome}) after ${seconds(updatedAt - startedAt)}`
          : child?.resting
            ? "waits for a person"
            : `running for ${seconds(readClock() - startedAt)}, last event ${seconds(readClock() - updatedAt)} ago`
      return `- ${run} (${agent}): ${how}`
    })
  return lines.join("\n") || "You have not started any subagents."
}

async function reportOf({ environment }: Drive, run: string): Promise<string> {
  let output = ""
  for await (const event of environment.store.read(run))
    if (event.type === "run-end") output = (event as unknown as { output: string }).output
  return output
}

/** The full text of a cut result is a blob, which the end of its call names. */
async function resultPage(
  drive: Drive,
  { back, page: number }: Extract<RunControl, { type: "result" }>,
): Promise<CallResult> {
  const { store } = drive.environment
  const cut: string[] = []
  for await (const event of store.read(drive.state.run))
    if (event.type === "tool-end") {
      const { full } = (event as unknown as { result: CallResult }).result
      if (full !== undefined) cut.unshift(full)
    }
  const blob = cut[back]
  if (blob === undefined)
    return fail(
      cut.length === 0
        ? "None of your results was cut: you have seen them in full."
        : `Only ${cut.length} of your results ${cut.length === 1 ? "was" : "were"} cut: \`back\` is at most ${cut.length - 1}.`,
    )
  const whole = await store.getBlob(drive.state.run, blob)
  if (whole === undefined) return fail("The full text of that result is no longer available.")
  const pages = splitPages(whole, pageLength(drive))
  const part = pages[number - 1]
  return part === undefined
    ? fail(`That result has ${pages.length} ${pages.length === 1 ? "page" : "pages"}.`)
    : succeed(`Page ${number} of ${pages.length}:\n${part}`)
}

/** The length of a page, always within the limit of a result. */
const pageLength = ({ state }: Drive): number =>
  Math.max(1_000, Math.floor((state.start!.limits.maxResultBytes ?? defaultLimits.maxResultBytes) / 4))

function page(head: RunHead, text: string, number: number, length: number): CallResult {
  const pages = splitPages(text, length)
  const part = pages[number - 1]
  return part === undefined
    ? fail(`The report of run ${head.run} has ${pages.length} ${pages.length === 1 ? "page" : "pages"}.`)
    : succeed(reportPage(head, part, { page: number, pages: pages.length }))
}

const endOf = (call: OpenCall, result: CallResult) => ({ type: "tool-end", call: call.id, result }) as const
const succeed = (text: string): CallResult => ({ status: "ok", text })
const fail = (text: string): CallResult => ({ status: "error", text })
