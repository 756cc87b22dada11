import path from "node:path"
import { addAllowRules } from "../../../definitions/configuration/add-rules.ts"
import { locateUserConfiguration } from "../../../definitions/configuration/folders.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { type Colour, createPainter } from "../../../ground/diagnostics/paint.ts"
import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import type { LetterDelivery, Runtime } from "../../../run/face/runtime.ts"
import { getRootRun } from "../../../run/log/id.ts"
import type { Store } from "../../../run/log/store.ts"
import { type CommandContext, defineCommand, type Input, type ProcessContext } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { createTerminalAsker, describeAddedRules, getQuestionKey } from "../run/approval-asker.ts"
import { describeApproval } from "../run/ask-approval.ts"
import { writeQuestionLines } from "../run/question-text.ts"
import { describeAsker, describeWaitingCall, readWaitingCall, type WaitingCall } from "../run/waiting-call.ts"
import { getHomeFolder } from "../settings.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { describeDelivery, storeOf, withRuntime } from "../stored-runs/runs.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const approveCommand = defineCommand({
  name: "approve",
  summary: "Approve or deny the tool calls that are waiting for you",
  arguments: [
    { name: "id", doc: "The run", complete: "run" },
    { name: "call", doc: "The call. Default: the only call that is waiting", count: "optional" },
  ],
  options: {
    yes: {
      type: "flag",
      doc: "Approve the call without showing it. Without a terminal, this is the default",
    },
    same: { type: "flag", doc: "Approve it, and exactly this call of this agent in the rest of the run" },
    always: {
      type: "flag",
      doc: "Approve it, and add the rule that --list shows to your own configuration",
    },
    deny: { type: "flag", doc: "Deny the call. The run continues, and the model is told" },
    stop: { type: "flag", doc: "Stop the whole run" },
    list: { type: "flag", doc: "Show the calls that are waiting, and answer none" },
    answer: {
      type: "value",
      value: "JSON",
      doc: "The values that a program asks for in the middle of the call, as a JSON object",
    },
    note: { type: "value", value: "TEXT", doc: "Why, for the log and the model" },
    resume: { type: "flag", doc: "Then resume the run, if no process drives it" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre approve ID", doc: "On a terminal: show each call that is waiting, and ask what to do" },
    { line: "cadre approve ID --list", doc: "See what would run, which agent asks, and why" },
    { line: "cadre approve ID c3 --always --resume", doc: "Allow this kind of call from now on, and go on" },
    { line: 'cadre approve ID c3 --deny --note "not on main"', doc: "Deny one of several calls" },
  ],
  async run({ arguments: { id: word, call }, options, ...context }) {
    const id = await findRun(word, context)
    const { stdout, environment } = context
    const choice = readChoice(options)
    const store = storeOf({ environment })
    try {
      return await withRuntime({ environment }, async (runtime) => {
        const { approvals } = await runtime.read(id)
        const matches =
          call === undefined ? approvals : approvals.filter((approval) => approval.call === call)
        const open = await Promise.all(matches.map((approval) => readWaitingCall(store, approval)))
        if (options.list) {
          stdout.write(
            options.json ? writeJsonText({ id, approvals: open }) : await listText(open, { ...context, id }),
          )
          return exitCode.fine
        }
        if (open.length === 0)
          throw new UsageError(
            `Run ${id} has no ${call === undefined ? "call" : `call ${call}`} that is waiting for approval.`,
          )
        const { screen, stdin } = context
        const asksPerson = choice === "ask" && !options.json && screen && stdin?.isTerminal
        const told = asksPerson
          ? await askAll(runtime, store, open, { ...context, stdin })
          : await answerOne(runtime, open, choice === "ask" ? "yes" : choice, { id, options, ...context })
        if (options.resume && told.delivery === "waiting") {
          const { resumeCommand: resume } = await import("./resume.ts")
          return resume.run({ ...context, arguments: { id }, options: { json: options.json } })
        }
        stdout.write(options.json ? writeJsonText(told.record) : told.text)
        return exitCode.fine
      })
    } finally {
      await store.close()
    }
  },
})

type Choice = "ask" | "yes" | "same" | "always" | "deny" | "stop" | "answer"

interface Options {
  readonly note?: string | undefined
  readonly answer?: string | undefined
}

interface Told {
  readonly delivery: LetterDelivery | undefined
  readonly record: object
  readonly text: string
}

function readChoice(
  options: {
    readonly [name in "yes" | "same" | "always" | "deny" | "stop" | "list" | "resume"]?: true | undefined
  } & Options,
): Choice {
  const choices = (["yes", "same", "always", "deny", "stop", "answer"] as const).filter(
    (name) => options[name] !== undefined,
  )
  const [first, second] = choices
  if (options.answer !== undefined && (second || options.note !== undefined || options.list))
    throw new UsageError("--answer gives the values. Leave out --deny, --note and --list.")
  if (second) throw new UsageError(`Use either --${first} or --${second}, not both.`)
  if (options.list && (first || options.resume || options.note !== undefined))
    throw new UsageError("--list only shows the calls. Leave out every answer, --note and --resume.")
  return first ?? (options.note === undefined ? "ask" : "yes")
}

/** Shows each call on the terminal, and asks. A call that is left stays open. */
async function askAll(
  runtime: Runtime,
  store: Store,
  open: readonly WaitingCall[],
  {
    stdin,
    stderr,
    colour,
    directory,
    environment,
  }: ProcessContext & { readonly stdin: Input; readonly colour: Colour },
): Promise<Told> {
  const byKey = new Map(open.map((one) => [getQuestionKey(one), one]))
  const asker = createTerminalAsker(
    runtime,
    {
      decide: async () => undefined,
      read: async (approval) => byKey.get(getQuestionKey(approval)) ?? readWaitingCall(store, approval),
    },
    {
      input: stdin,
      watcher: { pause() {}, go() {} },
      write: (text) => void stderr.write(text),
      paint: createPainter(colour),
      directory,
      configuration: locateUserConfiguration(environment, getHomeFolder({ environment })),
    },
  )
  const answers = await asker.answerAll(open).finally(() => asker.end())
  const count = answers.filter((answer) => answer === "answered").length
  const root = getRootRun(open[0]!.run)
  const text = `Answered ${count} of ${open.length} ${open.length === 1 ? "call" : "calls"} of run ${root}.\n`
  return { delivery: count > 0 ? "waiting" : undefined, record: { id: root, answered: count }, text }
}

async function answerOne(
  runtime: Runtime,
  open: readonly WaitingCall[],
  choice: Exclude<Choice, "ask">,
  { id, options, environment }: { id: string; options: Options } & Pick<CommandContext, "environment">,
): Promise<Told> {
  if (choice === "stop") {
    const delivery = await runtime.cancel(getRootRun(id), options.note ?? "a person stopped it at a question")
    return {
      delivery: undefined,
      record: { id, decision: "stop", delivery },
      text: `${describeDelivery(delivery, id)}\n`,
    }
  }
  const [first, second] = open
  if (second)
    throw new UsageError(
      `Several calls of run ${id} are waiting for approval. Name one by its run and call:\n${open.map((one) => `${one.run} ${one.call}  ${escapeText(describeWaitingCall(one))}`).join("\n")}`,
    )
  const waiting = first!
  const content = options.answer === undefined ? undefined : readAnswer(options.answer)
  if (content && !waiting.question)
    throw new UsageError("This call needs approval, and asks for no values. Leave out --answer.")
  if (waiting.question && (choice === "same" || choice === "always"))
    throw new UsageError(`--${choice} allows calls, and this is a question of a program. Answer it.`)
  const missing = waiting.question?.form?.filter(({ required }) => required).map(({ name }) => name) ?? []
  if (!content && choice !== "deny" && missing.length > 0)
    throw new UsageError(
      `This call asks for values: ${escapeText(missing.join(", "))}. Give them with --answer, as a JSON object, or decline with --deny.`,
    )
  const rules = choice === "always" ? requireRules(waiting) : []
  const file =
    rules.length === 0
      ? undefined
      : await addAllowRules(locateUserConfiguration(environment, getHomeFolder({ environment })), rules)
  const decision = choice === "deny" ? "deny" : "allow"
  const lasting = choice === "same" ? choice : file === undefined ? undefined : { rules }
  const { run, call } = waiting
  const delivery = content
    ? await runtime.answer(run, call, { action: "accept", content })
    : await runtime.approve(run, call, decision, options.note, lasting)
  const isAnswer = waiting.question !== undefined
  const word = decision === "deny" ? (isAnswer ? "Declined" : "Denied") : isAnswer ? "Answered" : "Approved"
  const added = file === undefined ? "" : describeAddedRules(file, rules)
  return {
    delivery,
    record: { id, run, call, decision, ...(lasting && { lasting }), delivery },
    text: `${word}: ${escapeText(describeWaitingCall(waiting))}\n${added}${describeDelivery(delivery, id)}\n`,
  }
}

function requireRules({ offers }: WaitingCall): readonly string[] {
  if (offers.type === "rules") return offers.rules
  throw new UsageError(
    `No rule is offered for this call: ${offers.reason}. Approve it once, or use --same for the rest of the run.`,
  )
}

function readAnswer(text: string): JsonMap {
  try {
    const value = JSON.parse(text) as Json
    if (isMap(value)) return value
  } catch {
    // The error below says what to write.
  }
  throw new UsageError(`--answer must be a JSON object, such as '{"name": "Ada"}', not ${text.slice(0, 60)}.`)
}

async function listText(
  open: readonly WaitingCall[],
  {
    colour,
    directory,
    environment,
  }: Pick<CommandContext, "colour" | "directory" | "environment"> & { id: string },
): Promise<string> {
  if (open.length === 0) return "No call is waiting for approval.\n"
  const paint = createPainter(colour)
  const file = path.join(locateUserConfiguration(environment, getHomeFolder({ environment })), "config.yaml")
  const texts = await Promise.all(
    open.map(async (one) => {
      const lines = one.question
        ? [escapeText(`${describeAsker(one)}: ${one.tool}`), ...writeQuestionLines(one.question)]
        : await describeApproval(one, { paint, directory, whole: true })
      const offer =
        one.offers.type === "rules"
          ? `--always adds ${one.offers.rules.join(" and ")} to ${file}`
          : `no rule is offered: ${one.offers.reason}`
      return [`${one.run} ${one.call}`, ...lines.map((line) => `  ${line}`), `  ${escapeText(offer)}\n`].join(
        "\n",
      )
    }),
  )
  return texts.join("")
}
