import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { callLines } from "../run/call-text.ts"
import { questionLines } from "../run/question-text.ts"
import {
  askerText,
  becauseText,
  readWaitingCall,
  treeLines,
  type WaitingCall,
  waitingCallText,
} from "../run/waiting-call.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { deliveryText, storeOf, withRuntime } from "../stored-runs/runs.ts"
import { jsonText } from "../terminal/json-text.ts"
import { UsageError } from "../usage-error.ts"

export const approveCommand = defineCommand({
  name: "approve",
  summary: "Approve or deny the tool calls that are waiting for you",
  arguments: [
    { name: "id", doc: "The run", complete: "run" },
    { name: "call", doc: "The call. Default: the only call that is waiting", count: "optional" },
  ],
  options: {
    deny: { type: "flag", doc: "Deny the call. The run continues, and the model is told" },
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
    { line: "cadre approve ID --list", doc: "See what would run, which agent asks, and why" },
    { line: "cadre approve ID", doc: "Approve the only call that is waiting" },
    { line: 'cadre approve ID c3 --deny --note "not on main"', doc: "Deny one of several calls" },
  ],
  async run({ arguments: { id: word, call }, options, ...context }) {
    const id = await findRun(word, context)
    const { stdout, environment } = context
    if (options.answer !== undefined && (options.deny || options.note !== undefined || options.list))
      throw new UsageError("--answer gives the values. Leave out --deny, --note and --list.")
    const content = options.answer === undefined ? undefined : readAnswer(options.answer)
    if (options.list && (options.deny || options.resume || options.note !== undefined))
      throw new UsageError("--list only shows the calls. Leave out --deny, --note and --resume.")
    const decision = options.deny ? "deny" : "allow"
    const answer = await withRuntime({ environment }, async (runtime) => {
      const { approvals } = await runtime.read(id)
      const matches = call === undefined ? approvals : approvals.filter((approval) => approval.call === call)
      const store = storeOf({ environment })
      const open = await Promise.all(matches.map((approval) => readWaitingCall(store, approval))).finally(
        () => store.close(),
      )
      if (options.list) return { type: "list" as const, open }
      const [first, second] = open
      if (!first)
        throw new UsageError(
          `Run ${id} has no ${call === undefined ? "call" : `call ${call}`} that is waiting for approval.`,
        )
      if (second)
        throw new UsageError(
          `Several calls of run ${id} are waiting for approval. Name one by its run and call:\n${open.map((one) => `${one.run} ${one.call}  ${escapeText(waitingCallText(one))}`).join("\n")}`,
        )
      if (content && !first.question)
        throw new UsageError("This call needs approval, and asks for no values. Leave out --answer.")
      const missing = first.question?.form?.filter(({ required }) => required).map(({ name }) => name) ?? []
      if (!content && decision === "allow" && missing.length > 0)
        throw new UsageError(
          `This call asks for values: ${escapeText(missing.join(", "))}. Give them with --answer, as a JSON object, or decline with --deny.`,
        )
      const delivery = content
        ? await runtime.answer(first.run, first.call, { action: "accept", content })
        : await runtime.approve(first.run, first.call, decision, options.note)
      const record = { id, run: first.run, call: first.call, decision, delivery }
      return { type: "answer" as const, told: record, question: first }
    })
    if (answer.type === "list")
      stdout.write(options.json ? jsonText({ id, approvals: answer.open }) : listText(answer.open))
    else {
      const { question, told: record } = answer
      if (options.resume && record.delivery === "waiting") {
        const { resumeCommand: resume } = await import("./resume.ts")
        return resume.run({ ...context, arguments: { id }, options: { json: options.json } })
      }
      const isAnswer = question.question !== undefined
      const what = `${decision === "deny" ? (isAnswer ? "Declined" : "Denied") : isAnswer ? "Answered" : "Approved"}: ${escapeText(waitingCallText(question))}`
      stdout.write(options.json ? jsonText(record) : `${what}\n${deliveryText(record.delivery, id)}\n`)
    }
    return exitCode.fine
  },
})

function readAnswer(text: string): JsonMap {
  try {
    const value = JSON.parse(text) as Json
    if (isMap(value)) return value
  } catch {
    // The error below says what to write.
  }
  throw new UsageError(`--answer must be a JSON object, such as '{"name": "Ada"}', not ${text.slice(0, 60)}.`)
}

const listText = (open: readonly WaitingCall[]): string =>
  open.length === 0
    ? "No call is waiting for approval.\n"
    : open
        .map((question) =>
          [
            `${question.run} ${question.call}  ${escapeText(`${askerText(question)}: ${question.tool}`)}`,
            ...treeLines(question, "whole").map((line) => `  ${escapeText(line)}`),
            ...callLines(question.tool, question.arguments).map((line) => `    ${line}`),
            ...(question.question ? questionLines(question.question).map((line) => `  ${line}`) : []),
            `  ${escapeText(becauseText(question))}\n`,
          ].join("\n"),
        )
        .join("")
