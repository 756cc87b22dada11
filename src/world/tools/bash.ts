import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import { type Confinement, strictest } from "../../agent/confinement.ts"
import { leftTree, movedTo } from "../../agent/isolation.ts"
import {
  type Access,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type WorkPlace,
} from "../../agent/tool.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import type { ProcessLimits, ProcessResult, SandboxChoice } from "../sandbox/process.ts"
import { folderOf, movedOptions } from "./command/place.ts"

export interface BashToolOptions {
  /** The folder that commands work in and below; default: the run's. */
  root?: string
  /** `preferred` (default): without a sandbox it runs, and the result says so. `required`: it does not. `off`. */
  sandbox?: SandboxChoice
  /** Default `none`. It holds in the sandbox only. */
  network?: "none" | "full"
  /** Further paths that commands in the sandbox cannot change or make. */
  protect?: readonly string[]
  /**
   * Lists the definitions of agents that are read from a working directory: commands in the sandbox make none. Default:
   * those of formats that have no folder of their own, by their names.
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
  /** Default: that of this process. */
  environment?: Readonly<Record<string, string | undefined>>
  home?: string
  /** Milliseconds a command gets when the call does not say; default: 2 minutes. */
  timeout?: number
  /** Milliseconds that a call may ask for at most; default: 10 minutes. */
  longest?: number
  limits?: Partial<ProcessLimits>
}

interface BashInput {
  readonly command: string
  readonly timeout?: number
  readonly description?: string
  readonly cwd?: string
}

/** Runs command lines in bash, in a sandbox where there is one. */
export function bashTool(options: BashToolOptions = {}): Tool {
  const { timeout = 120_000, longest = 600_000 } = options
  return defineTool<BashInput>({
    name: "Bash",
    description:
      "Runs a command line in bash and returns what it printed and its exit code. Each call is a new shell. " +
      "Input is empty and there is no terminal; what is left running in the background is ended with the call.",
    input: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command line.", minLength: 1 },
        timeout: { type: "number", description: `Milliseconds, at most ${longest}.`, exclusiveMinimum: 0 },
        description: { type: "string", description: "What it is for, in a few words." },
        cwd: { type: "string", description: "The folder to start in, inside the workspace." },
      },
      required: ["command"],
      additionalProperties: false,
    },
    effect: "opaque",
    confinement: confinementOf(options),
    // The command's own end comes first.
    timeout: longest + 2_000,
    accesses: (input, context) => accessesOf(input, movedOptions(options, context), context),
    execute: (input, context) =>
      execute(
        { ...input, timeout: Math.min(input.timeout ?? timeout, longest) },
        movedOptions(options, context),
        context,
      ),
  })
}

async function accessesOf(
  input: BashInput,
  options: BashToolOptions,
  { cwd }: WorkPlace,
): Promise<readonly Access[]> {
  const root = options.root ?? cwd
  const folder = folderOf(root, cwd, input.cwd)
  if (folder === undefined) return [{ type: "unclear", reason: outside(input.cwd ?? cwd) }]
  const { shellAccesses } = await import("../shell/shell-accesses.ts")
  const found = await shellAccesses(input.command, { cwd: folder, root, home: options.home ?? homedir() })
  const loose = (await isBoxed(options.sandbox, root)) ? "boxed" : "free"
  // Whoever allows `npm test`, to the letter, allows whatever it runs.
  const command = input.command.trim()
  return found.map((access) => {
    if (access.type === "unclear") return { ...access, command, loose }
    return access.type === "command" && access.loose ? { ...access, loose } : access
  })
}

/** Whether a sandbox holds what nobody knows to the rules about files. */
async function isBoxed(sandbox: SandboxChoice | undefined, root: string): Promise<boolean> {
  if (sandbox === "off") return false
  const { sandboxFor } = await import("../sandbox/find-sandbox.ts")
  return "path" in (await sandboxFor(root))
}

async function execute(
  input: BashInput & { readonly timeout: number },
  options: BashToolOptions,
  context: ToolContext,
): Promise<ToolOutput> {
  const root = options.root ?? context.cwd
  const folder = folderOf(root, context.cwd, input.cwd)
  if (folder === undefined) return { text: `Not run: ${outside(input.cwd ?? context.cwd)}.`, isError: true }
  const { sandbox, network } = strictest(confinementOf(options), context.confinement)!
  const boxed = await isBoxed(sandbox, root)
  const { readsEnvironment } = await import("./command/environment-reads.ts")
  const refused =
    (await refusedAccess(root, input, options, context)) ??
    (boxed ? undefined : readsEnvironment(input.command))
  if (refused !== undefined) return { text: `Not run: ${refused}`, isError: true }
  const { childEnvironment } = await import("../sandbox/child-environment.ts")
  const { runCommand } = await import("../sandbox/run-command.ts")
  const { environment = process.env, grants = [], home = homedir() } = options
  const forbidden = boxed ? context.forbidden?.() : undefined
  const { commandBounds } = await import("./command/bounds.ts")
  const { sharedDefinitions } = await import("./command/shared-definitions.ts")
  const { definitionsBelow } = await import("./command/definitions-below.ts")
  const read = () => options.definitions?.(context.cwd) ?? sharedDefinitions(root, context.cwd)
  const protect = [...(options.protect ?? []), ...read().filter((file) => isBelow(realpathSync(root), file))]
  const bounds = commandBounds({ ...options, protect }, context, { root, home, network, forbidden })
  if ("problem" in bounds) return { text: `Not run: ${bounds.problem}.`, isError: true }
  const result = await runCommand({
    command: input.command,
    cwd: folder,
    environment: {
      ...childEnvironment(environment, {
        root,
        apart: (context.moved ?? []).map(({ from }) => from),
        grants,
        marker: context.key,
        depth: context.depth,
      }),
      HOME: home,
      // Where commands of hooks that were written for Claude Code find their scripts.
      ...(context.handed && { CLAUDE_PROJECT_DIR: context.moved?.at(-1)?.to ?? root }),
      ...context.handed?.environment,
    },
    ...(context.handed && { input: context.handed.input }),
    bounds,
    definitions: async () => [...(await definitionsBelow(root)), ...read()],
    sandbox,
    timeout: input.timeout,
    signal: context.signal,
    ...(options.limits && { limits: options.limits }),
  })
  if ("refused" in result) return { text: result.refused, isError: true }
  return {
    text: textOf(result, input.timeout),
    ...(result.exitCode !== 0 && { isError: true }),
    evidence: { commands: [{ command: input.command, exitCode: result.exitCode }] },
  }
}

const confinementOf = ({ sandbox = "preferred", network = "none" }: BashToolOptions): Confinement => ({
  sandbox,
  network,
})

/**
 * Why a command is not run, in whatever mode, that plainly writes to a protected path or uses the tree that its run was
 * set apart from; the sandbox keeps the rest from it.
 */
async function refusedAccess(
  root: string,
  input: BashInput,
  options: BashToolOptions,
  context: ToolContext,
): Promise<string | undefined> {
  const { moved } = context
  for (const access of await accessesOf(input, options, context)) {
    if ("path" in access && leftTree(access.path, moved))
      return `${access.path} is in the tree that this run was set apart from. Use ${movedTo(access.path, moved)}.`
    const why =
      access.type === "write" && access.implied !== "possible"
        ? isProtected(realpathSync(root), access.path, "write", options.protect)
        : undefined
    if (why !== undefined) return why
  }
  return undefined
}

const outside = (cwd: string) => `the folder ${JSON.stringify(cwd)} is not there, or not inside the workspace`

function textOf(result: ProcessResult, timeout: number): string {
  const { head, tail, omitted, exitCode } = result
  const output = omitted === 0 ? head : `${head}\n[${omitted} bytes were left out here]\n${tail}`
  const endings: Readonly<Record<ProcessResult["ended"], string>> = {
    exit: exitCode === 0 ? "" : `Exit code ${exitCode}.`,
    timeout: `Killed: it took longer than ${timeout} ms.`,
    aborted: "Killed: the run is stopping.",
    "output-limit": "Killed: it printed more than is allowed. Let it print less, or into a file.",
    "process-limit": "Killed: it started more processes than are allowed.",
  }
  const notes = [
    endings[result.ended],
    result.unsandboxed === undefined ? "" : `Ran without a sandbox: ${result.unsandboxed}.`,
    ...(result.replaced ?? []).map(
      (place) => `What it put in the place of a protected link was moved to ${place}.`,
    ),
    ...refusals(result.refusedDefinitions ?? []),
  ].filter(Boolean)
  const note = notes.length > 0 ? `[${notes.join(" ")}]` : ""
  const text = output.replace(/\n$/, "")
  return [text, note].filter(Boolean).join("\n") || "(no output)"
}

function refusals(places: readonly string[]): readonly string[] {
  const told = places
    .slice(0, 10)
    .map(
      (place) => `It made the definition of an agent, which no command may make: that was moved to ${place}.`,
    )
  return places.length > told.length ? [...told, `So were ${places.length - told.length} more.`] : told
}
