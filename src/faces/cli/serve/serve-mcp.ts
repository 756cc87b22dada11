import { realpathSync } from "node:fs"
import { createRuntime } from "../../../assembly/create-runtime.ts"
import { hash } from "../../../ground/crypto.ts"
import { escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { sumTokens } from "../../../ground/usage.ts"
import { serveStdio } from "../../mcp-server/serve-stdio.ts"
import type { ServedProject } from "../../mcp-server/served-project.ts"
import type { CommandContext } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { callLines } from "../run/call-text.ts"
import { type Driving, resolveFolder } from "../run/options.ts"
import { writeQuestionLines } from "../run/question-text.ts"
import { computeInclusiveCost, getInclusiveUsage } from "../run/result-json.ts"
import { describeAsker, describeAskReason, readWaitingCall } from "../run/waiting-call.ts"
import { readOwnership } from "../stored-runs/ownership.ts"
import { storeOf } from "../stored-runs/runs.ts"
import { locateRunsFolder } from "../stored-runs/runs-folder.ts"
import { UsageError } from "../usage-error.ts"
import { findAllowedFolder } from "./allowed-folder.ts"
import { type DriverLink, openDriverLink } from "./driver-link.ts"
import { listOfferedAgents } from "./list-agents.ts"

type Context = Omit<CommandContext, "arguments" | "options">

/** Serves the agents of a folder to a host over stdin and stdout, until the host closes them. */
export async function serveMcp(
  driving: Driving,
  workspace: string | undefined,
  context: Context,
): Promise<ExitCode> {
  const folder = realpathSync(resolveFolder(context.directory, workspace))
  const say = (text: string) => void context.stderr.write(`cadre mcp: ${escapeLines(text)}\n`)
  if (context.stdin?.isTerminal)
    say("Serves MCP to a host on stdin and stdout, so it waits. `cadre help mcp` shows the other uses.")
  const driver = openDriverLink({
    words: driverWords(driving, context),
    directory: folder,
    environment: { ...context.environment },
    onTrouble: say,
  })
  const project = openServedProject(folder, driving, driver, context)
  const stop = new AbortController()
  const unlisten = context.onSignal?.(() => stop.abort())
  try {
    await serveStdio(project, {
      input: process.stdin,
      output: process.stdout,
      signal: stop.signal,
      onProblem: ({ message }) => say(message),
    })
  } finally {
    unlisten?.()
    driver.release()
    await project.runtime.close()
    process.stdin.destroy()
  }
  return exitCode.fine
}

/** The options of the server, so that its runs get exactly its rights. */
function driverWords(
  { mode, sandbox, trust }: Driving,
  { program }: Context,
): readonly [string, ...string[]] {
  const [first, ...rest] = program ?? []
  if (first === undefined)
    throw new UsageError("This program cannot start a process for its runs: it does not know its own name.")
  return [
    first,
    ...rest,
    "mcp",
    "--driver",
    ...(mode === undefined ? [] : [`--mode=${mode}`]),
    ...(sandbox === undefined ? [] : [`--sandbox=${sandbox}`]),
    ...(trust === "all" ? ["--trust"] : []),
  ]
}

function openServedProject(
  folder: string,
  driving: Driving,
  driver: DriverLink,
  context: Context,
): ServedProject {
  const store = storeOf(context)
  const { mode, sandbox, trust } = driving
  return {
    folder,
    rights: hash("sha256", JSON.stringify([folder, mode ?? null, sandbox ?? null, trust]), "hex").slice(
      0,
      16,
    ),
    store,
    runtime: createRuntime({ store }),
    allowedFolder: (named) => findAllowedFolder(folder, named, context),
    listAgents: (directory) => listOfferedAgents(driving, { ...context, directory }),
    start: (beginning) => driver.send({ type: "start", ...beginning }).catch(withKeyHint),
    async resume(run) {
      await driver.send({ type: "resume", run }).catch(withKeyHint)
    },
    readOwnership: (root) => readOwnership(locateRunsFolder(context), root),
    async describeApproval(approval) {
      const call = await readWaitingCall(store, approval)
      const lines = approval.question
        ? writeQuestionLines(approval.question)
        : callLines(approval.tool, approval.arguments)
      return [`${describeAsker(call)}: ${approval.tool}`, ...lines, describeAskReason(call)]
        .map(escapeLines)
        .join("\n")
    },
    usageOf: ({ proof }) => ({
      tokens: sumTokens(getInclusiveUsage(proof)) ?? null,
      cost: computeInclusiveCost(proof),
    }),
  }
}

/** Hosts pass on little of the environment that the person knows. */
function withKeyHint(error: unknown): never {
  if (!(error instanceof CadreError) || error.code !== "MODEL_KEY_MISSING") throw error
  throw new CadreError(
    error.code,
    `${error.message}\nThe host starts this server, and may hand on no variables of the shell. Tell the person to put the key into \`env\` of the server's entry in the host's configuration. The file that is named above works, too.`,
  )
}
