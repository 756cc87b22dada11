import { fold } from "../../../run/begin/load.ts"
import type { Approval } from "../../../run/drive/proof.ts"
import { rootOf } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { judge } from "../../../run/rights/rights.ts"
import { describeAccess } from "../../../run/words/prompt.ts"
import { callText, commandOf } from "./call-text.ts"

/** A call that waits for a person, with who asks and why. */
export interface Asked extends Approval {
  readonly agent: string
  readonly depth: number
  /** Whose rules ask. */
  readonly rule: string
  /** What of the call they ask about; absent where it is the call as a whole. */
  readonly about?: string
  /** The command line, where it is one. */
  readonly command?: string
}

/** Reads from the log what a person is asked to decide: the very call that would run, and what was judged. */
export async function readAsked(store: Store, approval: Approval): Promise<Asked> {
  const folded = await fold(store, approval.run)
  const start = folded?.state.start
  const call = [...(folded?.state.calls ?? [])].find(({ id }) => id === approval.call)
  const judgement = folded && call && judge(folded.state.rights, call, start?.moved)
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
  rule: `its step ${key} waits for it`,
  about: `its step ${key} waits for it`,
})

const askedByRule = (judgement: ReturnType<typeof judge> | undefined) => ({
  rule: judgement?.of ?? "the rules of the run",
  ...(judgement?.about && { about: describeAccess(judgement.about) }),
})

/** Why it asks, in a few words. What is dangerous asks by itself. */
export const becauseText = ({ tool, about, rule }: Asked): string =>
  about === rule ? `because ${rule}` : `because ${rule} asks: ${about ?? tool}`

/** Who asks: the agent, and where below the root it is. */
export function askerText({ agent, run, depth }: Pick<Asked, "agent" | "run" | "depth">): string {
  const below = run.includes(".") ? run.slice(run.indexOf(".")) : ""
  return depth === 0 ? agent : `${agent}${below} (depth ${depth})`
}

/** How the task came down to whoever asks, a line for each run; nothing for a root. `short` is for a question at a terminal. */
export const wayLines = ({ way }: Pick<Asked, "way">, length: "whole" | "short"): readonly string[] =>
  way.length < 2
    ? []
    : way.map(({ run, agent, task, gains = [] }, depth) => {
        const who = `${agent}${gains.length > 0 ? ` (gains ${gains.join(", ")})` : ""}`
        const prompt = length === "whole" ? task : shortened(task, rootOf(run))
        return `${"  ".repeat(depth)}${depth === 0 ? "" : "└ "}${who}: ${prompt}`
      })

/** Characters of a prompt that a question shows: of a longer one its beginning and its end. */
const [shownStart, shownEnd] = [400, 200]

function shortened(task: string, root: string): string {
  const left = task.length - shownStart - shownEnd
  if (left <= 0) return task
  const [start, end] = [task.slice(0, shownStart), task.slice(-shownEnd)].map((part) => part.toWellFormed())
  return `${start} … (${left} characters are left out here; \`cadre approve ${root} --list\` shows them) … ${end}`
}

/** One line for a list; the command whole. */
export const askedText = (asked: Asked): string => callText(asked.tool, asked.arguments)
