import { setTimeout } from "node:timers/promises"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import type { Approval } from "../../../run/drive/proof.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { Input } from "../command.ts"
import { type Asked, askerText, becauseText, wayLines } from "./asked.ts"
import { callLines } from "./call-text.ts"
import type { Watcher } from "./watcher.ts"

/** What becomes of calls that need a person. */
export interface Asks {
  /** A call asks: it is answered as soon as that is possible, without holding anything up. */
  heard(run: string, call: string): void
  /** Answers what is open while nothing else goes on, and says for each whether it was. */
  settle(approvals: readonly Approval[]): Promise<readonly ("answered" | "left")[]>
  /** Nobody is asked any more. */
  end(): void
}

export type Decide = (approval: Approval) => Promise<Answer>

export interface Answer {
  readonly decision: "allow" | "deny" | "leave"
  /** Why, for the log and the model. */
  readonly note?: string
}

/** Every ask is decided once, one after the other. */
export function asksOf(runtime: Runtime, decide: Decide, end: () => void = () => {}): Asks {
  const answers = new Map<string, Promise<"answered" | "left">>()
  let last: Promise<unknown> = Promise.resolve()
  const answer = (find: () => Promise<Approval | undefined>) => async () => {
    const approval = await find()
    if (!approval) return "left" as const
    const { decision, note } = await decide(approval)
    if (decision === "leave") return "left" as const
    await approve(runtime, approval, decision, note)
    return "answered" as const
  }
  const once = (run: string, call: string, find: () => Promise<Approval | undefined>) => {
    const key = `${run} ${call}`
    const known = answers.get(key)
    if (known) return known
    const answered = last.then(answer(find))
    last = answered.catch(() => {})
    answers.set(key, answered)
    return answered
  }
  const lookUp = async (run: string, call: string) =>
    (await runtime.read(run)).approvals.find((open) => open.run === run && open.call === call)
  return {
    heard(run, call) {
      once(run, call, () => lookUp(run, call)).catch(() => answers.delete(`${run} ${call}`))
    },
    settle: (approvals) =>
      Promise.all(approvals.map((approval) => once(approval.run, approval.call, async () => approval))),
    end,
  }
}

/** Too late is no failure: the call was cancelled, has expired, or somebody else was faster. */
async function approve(
  runtime: Runtime,
  { run, call }: Approval,
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

/** What was typed before it was asked has arrived by then. */
const typedBefore = 50

/**
 * Asks whoever sits at the terminal. What is typed while no question is open is thrown away: it answers nothing. Nothing
 * is read before the first question, because a shell stops what reads in the background.
 */
export function personAsks(
  runtime: Runtime,
  read: (approval: Approval) => Promise<Asked>,
  { input, watcher, write }: { input: Input; watcher: Watcher; write(text: string): void },
): Asks {
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
  return asksOf(
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

/** The call itself, all of a command, and why it asks. What the model says it is for is not part of it. */
function question(asked: Asked): string {
  const [first = "", ...more] = callLines(asked.tool, asked.arguments)
  const call =
    more.length === 0 && asked.command === undefined
      ? ` ${first}?`
      : `?\n${[first, ...more].map((line) => `    ${line}\n`).join("")}`
  const way = wayLines(asked, "short").map((line) => `${escapeText(line)}\n`)
  return `${way.join("")}${escapeText(askerText(asked))}: Allow ${escapeText(asked.tool)}${call}${call.endsWith("\n") ? "" : "\n"}${escapeText(becauseText(asked))}`
}
