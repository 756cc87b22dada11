import { CadreError } from "../../../ground/errors.ts"
import type { PendingApproval } from "../../../run/drive/proof.ts"
import { answerRun, runOutput } from "../answer-run.ts"
import { requireOwnRun } from "../own-runs.ts"
import { readRunStanding } from "../run-standing.ts"
import {
  type AnsweredQuestion,
  describeObject,
  describeText,
  type HostQuestion,
  type ServedCall,
  type ServedTool,
  type ToolAnswer,
} from "../served-tool.ts"
import { waitForRun } from "../wait-for-run.ts"

export const approveTool: ServedTool = {
  name: "approve",
  title: "Have a person approve a call",
  description: [
    "Asks the person at this host about a call of a run that waits for approval.",
    "Only the person answers: you cannot approve anything yourself.",
    "Then it waits for the run, as wait does.",
  ].join(" "),
  input: describeObject(
    {
      run: describeText("The id of the run."),
      call: describeText("The id of the call. Leave it out for the first one that waits."),
    },
    "run",
  ),
  output: runOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async call({ run, call }, served) {
    const { project, canAsk, answered } = served
    const root = await requireOwnRun(project, run as string)
    const standing = await readRunStanding(project, root)
    const open = standing.result.approvals.find((approval) => call === undefined || approval.call === call)
    if (!open) return noneOpen(root, call as string | undefined, standing.result.approvals)
    if (open.question || !canAsk) return leave(served, root, elsewhere(open))
    if (answered?.about !== aboutOf(open)) return ask(project, open)
    const decision = decisionOf(answered)
    if (decision === "none") return leave(served, root, unanswered(open))
    const delivery = await project.runtime.approve(open.run, open.call, decision)
    if (delivery === "waiting") await project.resume(standing.result.run)
    return answerRun(project, root, await waitForRun(project, root, served))
  },
}

/** Milliseconds in which no person can read a question and answer it. A faster answer comes from a host without one. */
const fastestPerson = 1_000

function decisionOf({ action, after, allow }: AnsweredQuestion): "allow" | "deny" | "none" {
  if (after < fastestPerson || action === "cancel") return "none"
  if (action === "decline") return "deny"
  return allow === undefined ? "none" : allow ? "allow" : "deny"
}

const aboutOf = ({ run, call }: PendingApproval): string => `${run} ${call}`

async function ask(project: ServedCall["project"], open: PendingApproval): Promise<HostQuestion> {
  return {
    about: aboutOf(open),
    ask: `A subagent of cadre wants to make this call:\n${await project.describeApproval(open)}\nAllow it?`,
  }
}

/** The run goes on resting, and the answer says why. */
async function leave({ project }: ServedCall, root: string, why: string): Promise<ToolAnswer> {
  const { value } = await answerRun(project, root, await readRunStanding(project, root))
  return { value: { ...value, next: why }, text: `Run ${root} waits for a person.\n${why}` }
}

const elsewhere = (open: PendingApproval): string =>
  `${open.question ? "A program asks the person for values, which this host cannot pass on." : "This host cannot ask its person."} Tell the person to run this in a terminal: ${commandOf(open)}. Then call wait.`

const unanswered = (open: PendingApproval): string =>
  `No person answered at this host. Tell the person to run this in a terminal: ${commandOf(open)}. Then call wait.`

const commandOf = ({ run, call }: PendingApproval): string =>
  `\`cadre approve ${run} ${call} --resume\`, or with --deny`

function noneOpen(
  root: string,
  call: string | undefined,
  open: readonly Pick<PendingApproval, "call">[],
): never {
  const rest = open.length === 0 ? "None waits." : `These wait: ${open.map((one) => one.call).join(", ")}.`
  throw new CadreError(
    "CALL_UNKNOWN",
    `Run ${root} has no ${call === undefined ? "call" : `call ${JSON.stringify(call)}`} that waits for approval. ${rest} Call status to see what the run does.`,
  )
}
