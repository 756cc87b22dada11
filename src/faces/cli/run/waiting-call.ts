import { fold } from "../../../run/begin/load.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"
import { rootOf } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { judge } from "../../../run/rights/rights.ts"
import { describeAccess } from "../../../run/words/prompt.ts"
import { callText, commandOf } from "./call-text.ts"
import { questionText } from "./question-text.ts"

/** A call that waits for a person, with the agent that made the call and the rule that asks. */
export interface WaitingCall extends PendingApproval {
  readonly agent: string
  readonly depth: number
  /** The owner of the rules that ask. */
  readonly rule: string
  /** The part of the call that the rule asks about. Absent if the rule is about the whole call. */
  readonly about?: string
  /** The command line, if the call runs one. */
  readonly command?: string
}

/** Reads the waiting call from the log: exactly the call that would run, and the rule that asks about it. */
export async function readWaitingCall(store: Store, approval: PendingApproval): Promise<WaitingCall> {
  const run = await fold(store, approval.run)
  const start = run?.state.start
  const call = [...(run?.state.calls ?? [])].find(({ id }) => id === approval.call)
  const judgement = run && call && judge(run.state.rights, call, start?.moved)
  const command = commandOf(approval.tool, approval.arguments)
  return {
    ...approval,
    agent: start?.agent ?? "?",
    depth: start?.depth ?? 0,
    ...(call?.kind === "approval" ? askedByStep(call.key) : askedByRule(judgement)),
    ...(command !== undefined && { command }),
  }
}

const askedByStep = (key = "") => ({
  rule: `step ${key} needs approval`,
  about: `step ${key} needs approval`,
})

const askedByRule = (judgement: ReturnType<typeof judge> | undefined) => ({
  rule: judgement?.of ?? "the rules of the run",
  ...(judgement?.about && { about: describeAccess(judgement.about) }),
})

/** Why the call needs approval, in a few words. */
export const becauseText = ({ tool, about, rule, question }: WaitingCall): string =>
  question
    ? `because ${question.from} asks in the middle of the call`
    : about === rule
      ? `because ${rule}`
      : `because ${rule} asks: ${about ?? tool}`

/** The agent that made the call, and its place below the root run. */
export function askerText({ agent, run, depth }: Pick<WaitingCall, "agent" | "run" | "depth">): string {
  const below = run.includes(".") ? run.slice(run.indexOf(".")) : ""
  return depth === 0 ? agent : `${agent}${below} (depth ${depth})`
}

/** The runs from the root to the run that asks, one line each with its task. Empty for a root. `short` cuts long tasks. */
export const treeLines = ({ way }: Pick<WaitingCall, "way">, length: "whole" | "short"): readonly string[] =>
  way.length < 2
    ? []
    : way.map(({ run, agent, task, gains = [] }, depth) => {
        const who = `${agent}${gains.length > 0 ? ` (gains ${gains.join(", ")})` : ""}`
        const prompt = length === "whole" ? task : shortened(task, rootOf(run))
        return `${"  ".repeat(depth)}${depth === 0 ? "" : "└ "}${who}: ${prompt}`
      })

/** The number of characters that a question shows of a long task: of its beginning and of its end. */
const [shownStart, shownEnd] = [400, 200]

function shortened(task: string, root: string): string {
  const hiddenCount = task.length - shownStart - shownEnd
  if (hiddenCount <= 0) return task
  const [start, end] = [task.slice(0, shownStart), task.slice(-shownEnd)].map((part) => part.toWellFormed())
  return `${start} … (${hiddenCount} characters hidden; \`cadre approve ${root} --list\` shows them) … ${end}`
}

/** The call in one line. A command is never cut. */
export const waitingCallText = (question: WaitingCall): string =>
  question.question
    ? `${question.tool}: ${questionText(question.question)}`
    : callText(question.tool, question.arguments)
