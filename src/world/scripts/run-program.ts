import path from "node:path"
import { readScriptFile, type Script } from "../../definitions/scripts/read-script-file.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { prepareCommand } from "../tools/bash.ts"
import { moveOptions } from "../tools/command/place.ts"
import { watchCommand } from "../tools/snapshot/watch-command.ts"
import { mostResult } from "./engine/protocol.ts"
import type { ScriptHost } from "./externals.ts"
import { readScriptInputs } from "./inputs.ts"
import { createScriptFailure, type ScriptResult } from "./result.ts"

const timeout = 300_000

/** Runs an executable file in the sandbox of commands: JSON on its input, JSON on its output. */
export async function runProgramScript(
  script: Script,
  input: JsonMap,
  host: ScriptHost,
): Promise<ScriptResult> {
  const problem = script.problems[0]
  if (problem)
    return createScriptFailure("GRAIL_CHECK", problem.message, { line: problem.line, column: problem.column })
  const inputs = script.inputs.length === 0 ? { values: input } : readScriptInputs(script.inputs, input)
  if ("problem" in inputs) return createScriptFailure("GRAIL", inputs.problem)
  const { context } = host
  if (!context.permits({ type: "command", text: script.file }, "Bash"))
    return createScriptFailure(
      "LOAD_ERROR",
      `The rules of this run do not permit commands, so ${script.file} is not run.`,
    )
  const command = moveOptions(host.command, context)
  // The folder of a user's definition may lie in the home folder, which the sandbox hides.
  const options = { ...command, visible: [...(command.visible ?? []), path.dirname(script.file)] }
  const prepared = await prepareCommand({ command: "true" }, options, context)
  if ("problem" in prepared) return createScriptFailure("LOAD_ERROR", `Not run: ${prepared.problem}`)
  const { runBoundedProgram } = await import("../sandbox/run-program.ts")
  // The system starts the file by its path, so its content is compared again as late as possible.
  const now = readScriptFile(script.file)
  if (now.type === "refused" || now.script.hash !== script.hash)
    return createScriptFailure(
      "LOAD_ERROR",
      `The script ${script.file} has changed since this run began. Start a new run.`,
    )
  const result = await watchCommand(context, options.root, "unknown", () =>
    runBoundedProgram({
      ...prepared,
      words: [script.file],
      input: `${JSON.stringify(inputs.values)}\n`,
      timeout,
      limits: { ...prepared.limits, output: mostResult, keptOutput: 2 * mostResult },
    }),
  )
  if ("refused" in result) return createScriptFailure("LOAD_ERROR", result.refused)
  host.evidence.commands.push({ command: script.file, exitCode: result.exitCode })
  const errors = (result.errors.head + result.errors.tail).trim().slice(-2_000).toWellFormed()
  switch (result.ending) {
    case "timeout":
      return createScriptFailure("TIMEOUT", `Script execution timed out after ${timeout / 1000} s.`)
    case "aborted":
      return createScriptFailure("TIMEOUT", "The script was stopped, because its run is stopping.")
    case "output-limit":
      return createScriptFailure("LIMIT", `The program printed more than ${mostResult} bytes.`, {
        limit: "output",
      })
    case "process-limit":
      return createScriptFailure("LIMIT", "The program started too many processes.", { limit: "memory" })
    case "exit":
      if (result.exitCode !== 0)
        return createScriptFailure(
          "EXECUTION",
          `The program ended with exit code ${result.exitCode}.${errors === "" ? "" : ` ${errors}`}`,
        )
      return readOutput(result.head + result.tail)
  }
}

function readOutput(text: string): ScriptResult {
  try {
    return { error: false, value: JSON.parse(text) as Json }
  } catch {
    return createScriptFailure(
      "GRAIL",
      `The program must print one JSON value, but it printed ${JSON.stringify(text.slice(0, 200))}.`,
    )
  }
}
