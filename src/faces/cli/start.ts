import { dispatch } from "./dispatch.ts"
import { reportFailure } from "./report-failure.ts"
import { openAddress } from "./terminal/open-address.ts"
import { standardInput } from "./terminal/standard-input.ts"
import { screenOf } from "./terminal/standard-screen.ts"
import { createSignals } from "./terminal/standard-signals.ts"

/** Runs a command line in this process. The process then ends by itself, so that all output is flushed. */
export async function start(words: readonly string[]): Promise<void> {
  const { stdout, stderr, env: environment } = process
  stderr.on("error", () => {})
  process.on("uncaughtException", (thrown) => process.exit(reportFailure(thrown, { stderr, environment })))
  const signals = createSignals(stdout)
  const screen = screenOf(stderr, environment)
  const code = await dispatch(words, {
    stdout,
    stderr,
    stdin: standardInput,
    directory: process.cwd(),
    environment,
    isTerminal: stdout.isTTY === true,
    ...(stdout.isTTY && { columns: stdout.columns }),
    ...(screen && { screen }),
    onSignal: signals.onSignal,
    openAddress,
    program: [process.execPath, ...process.execArgv, process.argv[1]!],
  })
  process.exitCode = code
  // Work that did not stop in time must not keep the process alive. The output is flushed first.
  if (signals.hasReceivedSignal()) stdout.write("", () => process.exit(code))
}
