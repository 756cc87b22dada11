import type { Control } from "../../agent/tool.ts"
import { knownNames, messageOf } from "../../ground/errors.ts"
import { defaultLimits } from "../../ground/limits.ts"
import { isOutOfFiles } from "../../ground/out-of-files.ts"
import { notBecauseOfIt } from "../begin/inspect.ts"
import { startOf } from "../begin/load.ts"
import { now } from "../log/clock.ts"
import type { CallResult, Waiting } from "../log/event.ts"
import { belowOf, parentOf, rootOf } from "../log/id.ts"
import type { RunHead } from "../log/store.ts"
import { agentAccess } from "../rights/agent-access.ts"
import { mayCall } from "../rights/callable.ts"
import type { OpenCall } from "../state/open-call.ts"
import { pagesOf } from "../words/pages.ts"
import { messageFrom, nobodyReads, reportPage, toolGone } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"
import { endHooked } from "./hook-call.ts"
import { checkArguments } from "./tool-call.ts"

/**
 * What a run does with the runs around it. All of it goes through letters and the log, so a call that a crash cut off is
 * simply made again: a letter is known by its key.
 */
export async function control(drive: Drive, call: OpenCall): Promise<void> {
  const { recorder } = drive
  const wanted = await readControl(drive, call)
  if (drive.stopped) return
  if ("problem" in wanted) return recorder.record(ending(call, failed(wanted.problem)))
  switch (wanted.type) {
    case "wait": {
      const waits = waitingFor(drive, wanted, call)
      if ("problem" in waits) return recorder.record(ending(call, failed(waits.problem)))
      await recorder.record({ type: "tool-start", call: call.id, waits })
      // They may all have ended already.
      return drive.wake()
    }
    case "ask": {
      const { caller } = drive.state.start!
      if (!caller || drive.definition.withheld.includes(call.tool))
        return recorder.record(ending(call, failed("There is nobody above this run to ask.")))
      const { timeout, otherwise, question } = wanted
      // Asked again after a death, it has the time it had, and may be answered already.
      const asks = call.asks ?? { expires: now() + timeout, ...(otherwise !== undefined && { otherwise }) }
      await recorder.record({ type: "tool-start", call: call.id, asks })
      if (now() < asks.expires)
        drive.tree.post(caller.run, `${drive.state.run}:${call.id}:ask`, {
          type: "child-ask",
          child: drive.state.run,
          question,
        })
      return drive.wake()
    }
    default: {
      const sends = wanted.type === "send" ? belowOf(drive.state.run, wanted.to) : undefined
      await recorder.record({ type: "tool-start", call: call.id, ...(sends !== undefined && { sends }) })
      return endHooked(drive, call, await perform(drive, call, wanted))
    }
  }
}

type Immediate = Exclude<Control, { type: "wait" | "ask" }>

async function perform(drive: Drive, call: OpenCall, wanted: Immediate): Promise<CallResult> {
  if (wanted.type === "result") return resultPage(drive, wanted)
  const heads = await headsOf(drive)
  switch (wanted.type) {
    case "status":
      return done(status(drive, heads))
    case "cancel": {
      const head = below(drive, heads, wanted.run)
      if ("problem" in head) return failed(head.problem)
      const key = `${drive.state.run}:${call.id}:cancel`
      const told = done(`Run ${head.run} was told to stop. What it came to comes as a message.`)
      if (head.status === "ended")
        return (await hasRead(drive, head.run, key)) ? told : done(`Run ${head.run} has ended already.`)
      const reason = wanted.reason ?? "its parent asked it to stop"
      await drive.tree.send(head.run, key, { type: "cancel", reason })
      return told
    }
    case "send": {
      const { run, start } = drive.state
      const key = `${run}:${call.id}:message`
      const to = recipient(drive, heads, wanted.to)
      if ("problem" in to) return failed(to.problem)
      const sent = done(`Sent to run ${to.run}: it will read it before its next turn.`)
      if (to.status === "ended")
        return (await hasRead(drive, to.run, key))
          ? sent
          : failed(`Run ${to.run} has ended and reads nothing more. Continue it with a new call.`)
      const { kind } = await startOf(drive.environment.store, to.run)
      if (kind !== "agent") return failed(nobodyReads(to.run, kind))
      const text = isBelow(drive, to.run)
        ? wanted.text
        : messageFrom({ run, agent: start!.agent }, wanted.text)
      await drive.tree.send(to.run, key, { type: "message", from: run, text })
      return sent
    }
    case "report": {
      const head = below(drive, heads, wanted.run)
      if ("problem" in head) return failed(head.problem)
      if (head.status !== "ended") return failed(`Run ${head.run} has not ended, so it has no report yet.`)
      return page(head, await reportOf(drive, head.run), wanted.page, pageLength(drive))
    }
  }
}

async function readControl(drive: Drive, call: OpenCall): Promise<Control | { problem: string }> {
  const tool = drive.environment.tools.get(call.tool)
  if (tool?.kind !== "control") return { problem: toolGone(call.tool) }
  const checked = await checkArguments(drive, call)
  if ("problem" in checked) return checked
  try {
    return tool.control(checked.value)
  } catch (error) {
    return { problem: isOutOfFiles(error) ? notBecauseOfIt(call.tool) : messageOf(error) }
  }
}

function waitingFor(
  { state }: Drive,
  { runs, until, timeout }: Extract<Control, { type: "wait" }>,
  { waits: before }: OpenCall,
): Waiting | { problem: string } {
  const open = [...state.children].map(({ run, agent }) => ({ run, agent }))
  const numbered = (run: string) =>
    parentOf(run) === state.run && Number(run.slice(state.run.length + 1)) <= state.lastChild
  const named = runs?.map((text) => belowOf(state.run, text))
  const wrong = named?.find((run) => !numbered(run))
  if (wrong !== undefined)
    return {
      problem: `There is no subagent run ${JSON.stringify(wrong)} of yours. ${knownNames(
        wrong,
        open.map(({ run }) => run),
      )}`,
    }
  return {
    runs: named?.map((run) => open.find((one) => one.run === run) ?? { run, agent: "" }) ?? open,
    until,
    ...(timeout !== undefined && { expires: before?.expires ?? now() + timeout }),
  }
}

/** The runs of the tree that this run may know of: below it, and beside it. */
async function headsOf({ environment, state }: Drive): Promise<readonly RunHead[]> {
  const heads: RunHead[] = []
  const above = parentOf(state.run)
  for await (const head of environment.store.list({ root: rootOf(state.run) }))
    if (head.run.startsWith(`${state.run}.`) || (above !== undefined && parentOf(head.run) === above))
      heads.push(head)
  return heads
}

const isBelow = ({ state }: Drive, run: string): boolean => run.startsWith(`${state.run}.`)

function below(drive: Drive, heads: readonly RunHead[], text: string): RunHead | { problem: string } {
  const run = belowOf(drive.state.run, text)
  const mine = heads.filter((head) => isBelow(drive, head.run))
  return (
    mine.find((head) => head.run === run) ?? {
      problem: `There is no subagent run ${JSON.stringify(text)} of yours. ${knownNames(
        run,
        mine.map((head) => head.run),
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
    return start!.caller ?? { problem: "There is nobody above this run to write to." }
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
        agentAccess(drive.environment.agents, beside.agent),
      )
    )
  )
    return {
      problem: `Agent "${drive.definition.agent.name}" may not write to run ${beside.run}: it may not call "${beside.agent}" either.`,
    }
  return head
}

/** A call that a death cut off may have sent the letter, and who got it may have ended since. */
async function hasRead({ environment }: Drive, run: string, key: string): Promise<boolean> {
  for await (const event of environment.store.read(run))
    if ((event as { readonly key?: unknown }).key === key) return true
  return false
}

function status(drive: Drive, heads: readonly RunHead[]): string {
  const lines = heads
    .filter((head) => parentOf(head.run) === drive.state.run)
    .map(({ run, agent, status, outcome, startedAt, updatedAt }) => {
      const child = drive.state.children.find((child) => child.run === run)
      const seconds = (time: number) => `${Math.round(time / 1000)} s`
      const how =
        status === "ended"
          ? `ended (${outcome}) after ${seconds(updatedAt - startedAt)}`
          : child?.resting
            ? "waits for a person"
            : `at work for ${seconds(now() - startedAt)}, last heard of ${seconds(now() - updatedAt)} ago`
      return `- ${run} (${agent}): ${how}`
    })
  return lines.join("\n") || "You have started no subagents."
}

async function reportOf({ environment }: Drive, run: string): Promise<string> {
  let output = ""
  for await (const event of environment.store.read(run))
    if (event.type === "run-end") output = (event as unknown as { output: string }).output
  return output
}

/** Of what a model saw a part of, the whole is a blob that the end of its call names. */
async function resultPage(
  drive: Drive,
  { back, page: wanted }: Extract<Control, { type: "result" }>,
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
    return failed(
      cut.length === 0
        ? "None of your results was cut: you have seen all of them."
        : `Only ${cut.length} of your results ${cut.length === 1 ? "was" : "were"} cut: \`back\` is at most ${cut.length - 1}.`,
    )
  const whole = await store.getBlob(drive.state.run, blob)
  if (whole === undefined) return failed("The whole of that result is not there any more.")
  const pages = pagesOf(whole, pageLength(drive))
  const part = pages[wanted - 1]
  return part === undefined
    ? failed(`That result has ${pages.length} ${pages.length === 1 ? "page" : "pages"}.`)
    : done(`Page ${wanted} of ${pages.length}:\n${part}`)
}

/** A page is surely within what a result may have. */
const pageLength = ({ state }: Drive): number =>
  Math.max(1_000, Math.floor((state.start!.limits.maxResultBytes ?? defaultLimits.maxResultBytes) / 4))

function page(head: RunHead, text: string, wanted: number, length: number): CallResult {
  const pages = pagesOf(text, length)
  const part = pages[wanted - 1]
  return part === undefined
    ? failed(`The report of run ${head.run} has ${pages.length} ${pages.length === 1 ? "page" : "pages"}.`)
    : done(reportPage(head, part, { page: wanted, pages: pages.length }))
}

const ending = (call: OpenCall, result: CallResult) => ({ type: "tool-end", call: call.id, result }) as const
const done = (text: string): CallResult => ({ status: "ok", text })
const failed = (text: string): CallResult => ({ status: "error", text })
