import { setTimeout } from "node:timers/promises"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { Input } from "../command.ts"
import { callLines } from "./call-text.ts"
import { askerText, becauseText, type WaitingCall, wayLines } from "./waiting-call.ts"
import type { Watcher } from "./watcher.ts"

/** Answers the calls that need approval. */
export interface ApprovalAsker {
  /** A call needs approval. The answer comes as soon as possible; the run does not wait for this function. */
  enqueue(run: string, call: string): void
  /** Answers the open calls while nothing else runs, and returns for each whether it was answered. */
  answerAll(approvals: readonly PendingApproval[]): Promise<readonly ("answered" | "left")[]>
  /** Stops asking. */
  end(): void
}

export type DecideApproval = (approval: PendingApproval) => Promise<ApprovalAnswer>

export interface ApprovalAnswer {
  readonly decision: "allow" | "deny" | "leave"
  /** Why, for the log and the model. */
  readonly note?: string
}

/** Decides every call once, one after the other. */
export function createAsker(
  runtime: Runtime,
  decide: DecideApproval,
  end: () => void = () => {},
): ApprovalAsker {
  const answers = new Map<string, Promise<"answered" | "left">>()
  let last: Promise<unknown> = Promise.resolve()
  const answer = (find: () => Promise<PendingApproval | undefined>) => async () => {
    const approval = await find()
    if (!approval) return "left" as const
    const { decision, note } = await decide(approval)
    if (decision === "leave") return "left" as const
    await approve(runtime, approval, decision, note)
    return "answered" as const
  }
  const once = (run: string, call: string, find: () => Promise<PendingApproval | undefined>) => {
    const key = `${run} ${call}`
    const earlier = answers.get(key)
    if (earlier) return earlier
    const pending = last.then(answer(find))
    last = pending.catch(() => {})
    answers.set(key, pending)
    return pending
  }
  const lookUp = async (run: string, call: string) =>
    (await runtime.read(run)).approvals.find((open) => open.run === run && open.call === call)
  return {
    enqueue(run, call) {
      once(run, call, () => lookUp(run, call)).catch(() => answers.delete(`${run} ${call}`))
    },
    answerAll: (approvals) =>
      Promise.all(approvals.map((approval) => once(approval.run, approval.call, async () => approval))),
    end,
  }
}

/** A late answer is no failure: the call was cancelled, expired, or was answered elsewhere first. */
async function approve(
  runtime: Runtime,
  { run, call }: PendingApproval,
  decision: "allow" | "deny",
  note: string | undefined,
): Promise<void> {
  try {
    await runtime.approve(run, call, decision, note)
  } catch (error) {
    if (!(error instanceof CadreError) || !["CALL_UNKNOWN", "RUN_ENDED", "RUN_UNKNOWN"].includes(error.code))
      throw error
  }
}

/** Milliseconds in which lines that were typed before the first question arrive. They must not answer it. */
const typedBefore = 50

/**
 * Asks the person at the terminal. Lines that are typed while no question is open are thrown away. Nothing is read before
 * the first question, because a shell stops background processes that read.
 */
export function createTerminalAsker(
  runtime: Runtime,
  read: (approval: PendingApproval) => Promise<WaitingCall>,
  { input, watcher, write }: { input: Input; watcher: Watcher; write(text: string): void },
): ApprovalAsker {
  let waiting: ((line: string | undefined) => void) | undefined
  let unlisten: (() => void) | undefined
  let over = false
  const stop = () => {
    over = true
    waiting?.(undefined)
  }
  const listen = async () => {
    unlisten = input.onLine((line) => {
      if (line === undefined) stop()
      else waiting?.(line)
    })
    await setTimeout(typedBefore)
  }
  const ask = async (question: string): Promise<string | undefined> => {
    if (!over && !unlisten) await listen()
    if (over) return undefined
    watcher.pause()
    write(question)
    const line = await new Promise<string | undefined>((resolve) => {
      waiting = resolve
    })
    waiting = undefined
    if (line === undefined) write("\n")
    watcher.go()
    return line
  }
  return createAsker(
    runtime,
    async (approval) => {
      const line = await ask(`${question(await read(approval))} [y/N] `)
      if (line === undefined) return { decision: "leave" }
      return { decision: /^\s*y(es)?\s*$/i.test(line) ? "allow" : "deny" }
    },
    () => {
      stop()
      unlisten?.()
    },
  )
}

/** The question: the call, with the whole command, and the rule that asks. The model's own description is left out. */
function question(approval: WaitingCall): string {
  const [first = "", ...more] = callLines(approval.tool, approval.arguments)
  const call =
    more.length === 0 && approval.command === undefined
      ? ` ${first}?`
      : `?\n${[first, ...more].map((line) => `    ${line}\n`).join("")}`
  const way = wayLines(approval, "short").map((line) => `${escapeText(line)}\n`)
  return `${way.join("")}${escapeText(askerText(approval))}: Allow ${escapeText(approval.tool)}${call}${call.endsWith("\n") ? "" : "\n"}${escapeText(becauseText(approval))}`
}
