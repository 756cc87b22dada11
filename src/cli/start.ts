import { dispatch } from "./dispatch.ts"
import { reportFailure } from "./report-failure.ts"

/** Runs a command line in this process. It ends by itself, so that everything written arrives. */
export async function start(words: readonly string[]): Promise<void> {
  const { stdout, stderr, env: environment } = process
  stderr.on("error", () => {})
  process.on("uncaughtException", (thrown) => process.exit(reportFailure(thrown, { stderr, environment })))
  process.exitCode = await dispatch(words, {
    stdout,
    stderr,
    directory: process.cwd(),
    environment,
    isTerminal: stdout.isTTY === true,
    ...(stdout.isTTY && { columns: stdout.columns }),
  })
}
