import type { ExecutorSettings } from "../../agent/executor.ts"
import type { ToolOutput } from "../../agent/tool.ts"
import type { ProcessResult } from "../sandbox/process.ts"
import { readAnswer, wholeText } from "./read-answer.ts"

/** What went wrong, with the end of what the program said of it, and everything that it printed. */
export function failureOf(
  name: string,
  settings: ExecutorSettings,
  result: ProcessResult,
  problem?: string,
): Pick<ToolOutput, "text" | "partial"> {
  const { errors, ended, exitCode } = result
  const endings: Readonly<Record<ProcessResult["ended"], string>> = {
    exit: `ended with exit code ${exitCode}`,
    timeout: `took longer than ${settings.timeout} ms and was killed`,
    aborted: "was killed: the run is stopping",
    "output-limit": "printed more than is allowed and was killed",
    "process-limit": "started more processes than are allowed and was killed",
  }
  const printed = wholeText(result)
  const said = wholeText(errors).trim()
  const instead = said === "" && ended === "exit" && exitCode !== 0 ? answerIn(settings, result, printed) : ""
  const text = [
    `The executor ${name} ${endings[ended]}. ${problem ?? ""}`.trimEnd(),
    ...(said === "" ? [] : [`Its errors end with:\n${lastOf(said)}`]),
    ...(instead === "" ? [] : [`What it printed ends with:\n${lastOf(instead)}`]),
  ].join("\n")
  return { text, partial: printed }
}

/** Some say what went wrong where they would have answered. */
function answerIn(settings: ExecutorSettings, result: ProcessResult, printed: string): string {
  const answer = readAnswer(settings, result, "text")
  return "text" in answer ? answer.text.trim() : printed.trim()
}

const mostShown = 2_000

const lastOf = (text: string): string =>
  text.length <= mostShown ? text : `…${text.slice(-mostShown).toWellFormed().replace(/^�/, "")}`
