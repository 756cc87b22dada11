import type { ExecutorSettings } from "../../agent/executor.ts"
import type { ToolOutput } from "../../agent/tool.ts"
import type { ProcessResult } from "../sandbox/process.ts"
import { joinOutput, readAnswer } from "./read-answer.ts"

/**
 * Describes the failure with the end of the program's error output. `partial` is everything that the program printed.
 */
export function describeExecutorFailure(
  name: string,
  settings: ExecutorSettings,
  result: ProcessResult,
  problem?: string,
): Pick<ToolOutput, "text" | "partial"> {
  const { errors, ending, exitCode } = result
  const endings: Readonly<Record<ProcessResult["ending"], string>> = {
    exit: `ended with exit code ${exitCode}`,
    timeout: `took longer than ${settings.timeout} ms and was killed`,
    aborted: "was killed: the run is stopping",
    "output-limit": "printed more than the limit and was killed",
    "process-limit": "started more processes than the limit and was killed",
  }
  const printed = joinOutput(result)
  const errorText = joinOutput(errors).trim()
  const answerText =
    errorText === "" && ending === "exit" && exitCode !== 0 ? answerIn(settings, result, printed) : ""
  const text = [
    `The executor ${name} ${endings[ending]}. ${problem ?? ""}`.trimEnd(),
    ...(errorText === "" ? [] : [`The end of its error output:\n${endOf(errorText)}`]),
    ...(answerText === "" ? [] : [`The end of its output:\n${endOf(answerText)}`]),
  ].join("\n")
  return { text, partial: printed }
}

/** Some programs report an error in place of their answer. */
function answerIn(settings: ExecutorSettings, result: ProcessResult, printed: string): string {
  const answer = readAnswer(settings, result, "text")
  return "text" in answer ? answer.text.trim() : printed.trim()
}

const maxShown = 2_000

const endOf = (text: string): string =>
  text.length <= maxShown ? text : `…${text.slice(-maxShown).toWellFormed().replace(/^�/, "")}`
