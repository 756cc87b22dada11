import type { Access } from "../../../agent/tool.ts"
import { isProtected } from "../../../ground/paths/protected.ts"
import { fold } from "../../../run/begin/load.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"
import type { DecisionCause } from "../../../run/log/event-rights.ts"
import { getRootRun } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { upcast } from "../../../run/log/upcast.ts"
import { type CoveringRules, findCoveringRules } from "../../../run/rights/covering-rules.ts"
import { judge } from "../../../run/rights/rights.ts"
import { describeAccess } from "../../../run/words/prompt.ts"
import { callText, findCallCommand } from "./call-text.ts"
import { describeCause } from "./cause-text.ts"
import { describeQuestion } from "./question-text.ts"

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
  /** The cause that makes it wait, with the file and line where there is one. Absent in logs of older releases. */
  readonly by?: DecisionCause
  /** The files, commands and hosts that the call would use, as far as they are known. */
  readonly accesses: readonly Access[]
  /** The rules that would let such calls through without a question, or the reason why there are none. */
  readonly offers: CoveringRules
}

/** Reads the waiting call from the log: exactly the call that would run, and the rule that asks about it. */
export async function readWaitingCall(store: Store, approval: PendingApproval): Promise<WaitingCall> {
  const run = await fold(store, approval.run)
  const start = run?.state.start
  const call = [...(run?.state.calls ?? [])].find(({ id }) => id === approval.call)
  const judgement = run && call && judge(run.state.rights, call, start?.moved)
  const command = findCallCommand(approval.tool, approval.arguments)
  const by = await readCause(store, approval)
  const isProtectedPath = (path: string) => isProtected(start?.cwd ?? path, path, "write") !== undefined
  const offers: CoveringRules =
    run && call && call.kind !== "approval" && !approval.question
      ? findCoveringRules(run.state.rights, call, start?.moved, isProtectedPath)
      : { type: "none", reason: "it is a question of its own" }
  return {
    ...approval,
    ...(by && { by }),
    accesses: call?.accesses ?? [],
    offers,
    agent: start?.agent ?? "?",
    depth: start?.depth ?? 0,
    ...(call?.kind === "approval" ? askedByStep(call.key) : askedByRule(judgement)),
    ...(command !== undefined && { command }),
  }
}

/** The cause that the log has for the last question about this call. */
async function readCause(store: Store, { run, call }: PendingApproval): Promise<DecisionCause | undefined> {
  let cause: DecisionCause | undefined
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event?.type === "approval-start" && event.call === call) cause = event.by
  }
  return cause
}

const askedByStep = (key = "") => ({
  rule: `step ${key} needs approval`,
  about: `step ${key} needs approval`,
})

const askedByRule = (judgement: ReturnType<typeof judge> | undefined) => ({
  rule: judgement?.of ?? "the rules of the run",
  ...(judgement?.about && { about: describeAccess(judgement.about) }),
})

/** Why the call needs approval, in a few words: the rule or the mode, with file and line where the log has them. */
export function describeAskReason(
  { tool, about, rule, question, by }: Pick<WaitingCall, "tool" | "about" | "rule" | "question" | "by">,
  directory?: string,
): string {
  if (question) return `because ${question.from} asks in the middle of the call`
  if (about === rule) return `because ${rule}`
  return `because ${by ? describeCause(by, directory) : rule} asks: ${about ?? tool}`
}

/** Describes the accesses of a call, in one line for each kind. Empty where they are not known. */
export function describeAccesses(accesses: readonly Access[]): readonly string[] {
  const listed = (kind: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${kind}: ${[...new Set(names)].join(", ")}`]
  const paths = (use: "read" | "write") =>
    accesses.flatMap((access) =>
      access.type === use ? [`${access.path}${access.below ? " and everything below" : ""}`] : [],
    )
  return [
    ...listed(
      "runs",
      accesses.flatMap((access) => (access.type === "command" ? [access.text] : [])),
    ),
    ...listed("reads", paths("read")),
    ...listed("writes", paths("write")),
    ...listed(
      "contacts",
      accesses.flatMap((access) => (access.type === "host" ? [access.host] : [])),
    ),
    ...listed(
      "calls",
      accesses.flatMap((access) => (access.type === "agent" ? [access.name] : [])),
    ),
    ...listed(
      "starts",
      accesses.flatMap((access) => (access.type === "executor" ? [access.name] : [])),
    ),
    ...listed(
      "cannot be known",
      accesses.flatMap((access) => ("reason" in access ? [access.reason] : [])),
    ),
  ]
}

/** The agent that made the call, and its place below the root run. */
export function describeAsker({ agent, run, depth }: Pick<WaitingCall, "agent" | "run" | "depth">): string {
  const below = run.includes(".") ? run.slice(run.indexOf(".")) : ""
  return depth === 0 ? agent : `${agent}${below} (depth ${depth})`
}

/** The runs from the root to the run that asks, one line each with its task. Empty for a root. `short` cuts long tasks. */
export const writeTreeLines = (
  { way }: Pick<WaitingCall, "way">,
  length: "whole" | "short",
): readonly string[] =>
  way.length < 2
    ? []
    : way.map(({ run, agent, task, gains = [] }, depth) => {
        const who = `${agent}${gains.length > 0 ? ` (gains ${gains.join(", ")})` : ""}`
        const prompt = length === "whole" ? task : shortened(task, getRootRun(run))
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
export const describeWaitingCall = (question: WaitingCall): string =>
  question.question
    ? `${question.tool}: ${describeQuestion(question.question)}`
    : callText(question.tool, question.arguments)
