import path from "node:path"
import { setTimeout } from "node:timers/promises"
import type { QuestionAnswer } from "../../../agent/question.ts"
import { addAllowRules } from "../../../definitions/configuration/add-rules.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LastingApproval } from "../../../run/log/event-rights.ts"
import { getRootRun } from "../../../run/log/id.ts"
import type { Input } from "../command.ts"
import { askApproval } from "./ask-approval.ts"
import { askQuestion } from "./question-text.ts"
import { describeAsker, type WaitingCall } from "./waiting-call.ts"
import type { Watcher } from "./watcher.ts"

/** Answers the calls that need approval. */
export interface ApprovalAsker {
  /** Asks about a call and returns immediately. The answer goes to the runtime when the person gives it. */
  enqueue(run: string, call: string, question: number | undefined): void
  /** Asks about all calls that are still open. Call it when the whole tree rests. Returns for each whether it was answered. */
  answerAll(approvals: readonly PendingApproval[]): Promise<readonly ("answered" | "left")[]>
  /** Ends the question that is open now, and asks no further one. */
  end(): void
}

export type DecideApproval = (approval: PendingApproval) => Promise<ApprovalAnswer>

export type ApprovalAnswer =
  | {
      readonly decision: "allow" | "deny" | "leave"
      /** Why, for the log and the model. */
      readonly note?: string
      /** The person allows this from now on. */
      readonly lasting?: LastingApproval
    }
  /** The whole tree is cancelled. */
  | { readonly decision: "stop"; readonly reason: string }
  /** To the question of a program. */
  | { readonly decision: "answer"; readonly answer: QuestionAnswer }

/** One thing that a person is asked. A call may ask several questions, one after the other. */
export const getQuestionKey = ({
  run,
  call,
  question,
}: Pick<PendingApproval, "run" | "call" | "question">): string => `${run} ${call} ${question?.number ?? 0}`

/** Asks about each call at most once, one call after the other. A call that was left open is not asked about again. */
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
    const answer = await decide(approval)
    if (answer.decision === "leave") return "left" as const
    await approve(runtime, approval, answer)
    return "answered" as const
  }
  const once = (key: string, find: () => Promise<PendingApproval | undefined>) => {
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
    enqueue(run, call, question = 0) {
      const key = `${run} ${call} ${question}`
      once(key, () => lookUp(run, call)).catch(() => answers.delete(key))
    },
    answerAll: (approvals) =>
      Promise.all(approvals.map((approval) => once(getQuestionKey(approval), async () => approval))),
    end,
  }
}

/** Sends the answer. If the call was cancelled, expired or answered elsewhere in the meantime, the answer is ignored. */
async function approve(
  runtime: Runtime,
  { run, call }: PendingApproval,
  answer: Exclude<ApprovalAnswer, { decision: "leave" }>,
): Promise<void> {
  try {
    if (answer.decision === "answer") await runtime.answer(run, call, answer.answer)
    else if (answer.decision === "stop") await runtime.cancel(getRootRun(run), answer.reason)
    else if (answer.decision !== "leave")
      await runtime.approve(run, call, answer.decision, answer.note, answer.lasting)
  } catch (error) {
    if (!(error instanceof CadreError) || !["CALL_UNKNOWN", "RUN_ENDED", "RUN_UNKNOWN"].includes(error.code))
      throw error
  }
}

/** Milliseconds to wait before the first question. Lines that were typed earlier arrive then, and must not answer it. */
const typedAheadPause = 50

/**
 * Asks the person at the terminal. Lines that are typed while no question is open are thrown away. Reading begins with
 * the first question, because a shell suspends a background process that reads.
 */
export function createTerminalAsker(
  runtime: Runtime,
  {
    read,
    decide,
  }: {
    /** An answer that needs no person. Undefined: the person is asked. */
    readonly decide: (approval: PendingApproval) => Promise<ApprovalAnswer | undefined>
    readonly read: (approval: PendingApproval) => Promise<WaitingCall>
  },
  {
    input,
    watcher,
    write,
    ...shown
  }: {
    input: Input
    watcher: Pick<Watcher, "pause" | "go">
    write(text: string): void
    readonly paint: Paint
    readonly directory: string
    /** The folder of the user's own configuration, where rules are added. */
    readonly configuration: string
  },
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
    await setTimeout(typedAheadPause)
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
  /** The view draws over what is written while it is shown. */
  const tell = (text: string) => {
    watcher.pause()
    write(text)
    watcher.go()
  }
  return createAsker(
    runtime,
    async (approval) => {
      if (approval.question) {
        const answer = await askQuestion(approval.question, describeAsker(await read(approval)), ask)
        return answer ? { decision: "answer", answer } : { decision: "leave" }
      }
      const standing = await decide(approval)
      if (standing) return standing
      const file = path.join(shown.configuration, "config.yaml")
      const answer = await askApproval(await read(approval), ask, { ...shown, file })
      if (!answer) return { decision: "leave" }
      if (answer.decision === "stop") return { ...answer, reason: "a person stopped it at a question" }
      if ("lasting" in answer && typeof answer.lasting === "object")
        await keepRules(shown.configuration, answer.lasting.rules, tell)
      return answer
    },
    () => {
      stop()
      unlisten?.()
    },
  )
}

/** Adds rules to the user's own configuration. Where that fails, the call is allowed in this run all the same. */
async function keepRules(
  folder: string,
  rules: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  try {
    const file = await addAllowRules(folder, rules)
    write(describeAddedRules(file, rules))
  } catch (error) {
    write(`${escapeText(describeThrown(error))}\n`)
  }
}

export const describeAddedRules = (file: string, rules: readonly string[]): string =>
  `Added to ${escapeText(file)}: ${escapeText(rules.join(", "))}\n`
