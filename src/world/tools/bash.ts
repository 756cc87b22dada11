import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import { type CommandConfinement, findStrictest } from "../../agent/confinement.ts"
import { findLeftTree, mapToWorktree } from "../../agent/isolation.ts"
import {
  type Access,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type WorkPlace,
} from "../../agent/tool.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import type { ProcessInput, ProcessLimits, SandboxChoice } from "../sandbox/process.ts"
import { moveOptions, resolveStartFolder } from "./command/place.ts"

export interface BashToolOptions {
  /** The folder that commands work in and below; default: the run's folder. */
  root?: string
  /**
   * `preferred` (default): a command also runs without a sandbox, and the result says so. `required`: it does
   * not. `off`: no sandbox is used.
   */
  sandbox?: SandboxChoice
  /** Default `none`. It takes effect in the sandbox only. */
  network?: "none" | "full"
  /** Further paths that commands in the sandbox cannot change or make. */
  protect?: readonly string[]
  /**
   * Lists the definitions of agents that are read from a working directory: commands in the sandbox cannot
   * add any. Default: those of formats without a folder of their own, by their names.
   */
  definitions?: (cwd: string) => readonly string[]
  /** Folders besides the root that commands in the sandbox may write to. */
  writable?: readonly string[]
  /** Folders below the home folder that commands in the sandbox may read. */
  visible?: readonly string[]
  /** Folders outside of the root that commands in the sandbox cannot see. */
  hidden?: readonly string[]
  /** Names of environment variables that commands get beyond the harmless ones. */
  grants?: readonly string[]
  /** Default: the environment of this process. */
  environment?: Readonly<Record<string, string | undefined>>
  home?: string
  /** Milliseconds that a command gets if the call does not say; default: 2 minutes. */
  timeout?: number
  /** The most milliseconds that a call may ask for; default: 10 minutes. */
  longest?: number
  limits?: Partial<ProcessLimits>
}

interface BashInput {
  readonly command: string
  readonly timeout?: number
  readonly description?: string
  readonly cwd?: string
}

/** Runs command lines in bash, in a sandbox if there is one. */
export function createBashTool(options: BashToolOptions = {}): Tool {
  const { timeout = 120_000, longest = 600_000 } = options
  return defineTool<BashInput>({
    name: "Bash",
    description:
      "Runs a command line in bash and returns its output and exit code. Each call is a new shell. " +
      "There is no input and no terminal. Processes left in the background end with the call.",
    input: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command line.", minLength: 1 },
        timeout: { type: "number", description: `Milliseconds, at most ${longest}.`, exclusiveMinimum: 0 },
        description: { type: "string", description: "Its purpose, in a few words." },
        cwd: { type: "string", description: "The folder to start in, inside the workspace." },
      },
      required: ["command"],
      additionalProperties: false,
    },
    effect: "opaque",
    confinement: confinementOf(options),
    // The command's own timeout comes first.
    timeout: longest + 2_000,
    accesses: (input, context) => findCommandAccesses(input, moveOptions(options, context), context),
    execute: (input, context) =>
      execute(
        { ...input, timeout: Math.min(input.timeout ?? timeout, longest) },
        moveOptions(options, context),
        context,
      ),
  })
}

/** The accesses of a command, which the rules judge. */
export async function findCommandAccesses(
  input: BashInput,
  options: BashToolOptions,
  { cwd }: WorkPlace,
): Promise<readonly Access[]> {
  const root = options.root ?? cwd
  const folder = resolveStartFolder(root, cwd, input.cwd)
  if (folder === undefined) return [{ type: "unclear", reason: outsideReason(input.cwd ?? cwd) }]
  const { findShellAccesses } = await import("../shell/shell-accesses.ts")
  const accesses = await findShellAccesses(input.command, {
    cwd: folder,
    root,
    home: options.home ?? homedir(),
  })
  const loose = (await isBoxed(options.sandbox, root)) ? "boxed" : "free"
  // A rule that allows exactly `npm test` allows everything that it runs.
  const command = input.command.trim()
  return accesses.map((access) => {
    if (access.type === "unclear") return { ...access, command, loose }
    return access.type === "command" && access.loose ? { ...access, loose } : access
  })
}

/** True if a sandbox holds unknown commands to the rules about files. */
async function isBoxed(sandbox: SandboxChoice | undefined, root: string): Promise<boolean> {
  if (sandbox === "off") return false
  const { findFolderSandbox } = await import("../sandbox/find-sandbox.ts")
  return "path" in (await findFolderSandbox(root))
}

async function execute(
  input: BashInput & { readonly timeout: number },
  options: BashToolOptions,
  context: ToolContext,
): Promise<ToolOutput> {
  const prepared = await prepareCommand(input, options, context)
  if ("problem" in prepared) return { text: `Not run: ${prepared.problem}`, isError: true }
  const { runCommand } = await import("../sandbox/run-command.ts")
  const { watchCommand } = await import("./snapshot/watch-command.ts")
  const result = await watchCommand(
    context,
    options.root,
    () => findCommandAccesses(input, options, context),
    () => runCommand({ ...prepared, command: input.command, timeout: input.timeout }),
  )
  if ("refused" in result) return { text: result.refused, isError: true }
  const { describeCommandResult } = await import("./command/command-text.ts")
  return {
    text: describeCommandResult(result, input.timeout),
    ...(result.exitCode !== 0 && { isError: true }),
    evidence: { commands: [{ command: input.command, exitCode: result.exitCode }] },
  }
}

/** Checks a command that the rules permit, and prepares its process. `problem` says why it is not run in any mode. */
export async function prepareCommand(
  input: Pick<BashInput, "command" | "cwd">,
  options: BashToolOptions,
  context: ToolContext,
): Promise<Omit<ProcessInput, "timeout"> | { readonly problem: string }> {
  const root = options.root ?? context.cwd
  const cwd = resolveStartFolder(root, context.cwd, input.cwd)
  if (cwd === undefined) return { problem: `${outsideReason(input.cwd ?? context.cwd)}.` }
  const confinement = findStrictest(confinementOf(options), context.confinement)!
  const boxed = await isBoxed(confinement.sandbox, root)
  const { refuseEnvironmentReads } = await import("./command/environment-reads.ts")
  const refusal =
    (await refusedAccess(root, input, options, context)) ??
    (boxed ? undefined : refuseEnvironmentReads(input.command))
  if (refusal !== undefined) return { problem: refusal }
  const { processInput } = await import("./command/process-input.ts")
  const prepared = processInput(options, context, { root, cwd, confinement, isBoxed: boxed })
  return "problem" in prepared ? { problem: `${prepared.problem}.` } : prepared
}

const confinementOf = ({ sandbox = "preferred", network = "none" }: BashToolOptions): CommandConfinement => ({
  sandbox,
  network,
})

/**
 * The reason why a command is refused in every mode. It plainly writes to a protected path, or uses the tree that its
 * run was isolated from. The sandbox prevents the rest.
 */
async function refusedAccess(
  root: string,
  input: BashInput,
  options: BashToolOptions,
  context: ToolContext,
): Promise<string | undefined> {
  const { moved } = context
  for (const access of await findCommandAccesses(input, options, context)) {
    if ("path" in access && findLeftTree(access.path, moved))
      return `${access.path} is in the tree that this run was isolated from. Use ${mapToWorktree(access.path, moved)}.`
    const why =
      access.type === "write" && access.implied !== "possible"
        ? isProtected(realpathSync(root), access.path, "write", options.protect)
        : undefined
    if (why !== undefined) return why
  }
  return undefined
}

const outsideReason = (cwd: string) =>
  `the folder ${JSON.stringify(cwd)} does not exist, or is not inside the workspace`
