import { randomUUID } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import type { McpProgram } from "../../agent/mcp-server.ts"
import type { Forbidden } from "../../agent/tool.ts"
import { findProgram, foldersOf } from "../executors/find-program.ts"
import { childEnvironment } from "../sandbox/child-environment.ts"
import type { ProcessResult, SandboxChoice, Talk } from "../sandbox/process.ts"
import { runProgram } from "../sandbox/run-program.ts"
import type { Bounds } from "../sandbox/sandbox-arguments.ts"
import { commandBounds } from "../tools/command/bounds.ts"
import { definitionsBelow } from "../tools/command/definitions-below.ts"
import { folderOf } from "../tools/command/place.ts"
import { sharedDefinitions } from "../tools/command/shared-definitions.ts"

/** Where a server works, and what binds it there. */
export interface ServerPlace {
  /** The workspace. */
  readonly root: string
  /** Where the run works that it is started for. */
  readonly cwd: string
  /** Of commands: no server does without a sandbox where they may not. */
  readonly sandbox: SandboxChoice
  readonly home?: string
  /** Paths that rules deny. */
  readonly forbidden?: readonly Forbidden[]
  /** Further paths of the workspace that it cannot change. */
  readonly protect?: readonly string[]
  /** Folders that it cannot see. */
  readonly hidden?: readonly string[]
  /** Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Runs the program of a server until it ends. It leaves nothing behind, also where this process is killed. */
export async function startProgram(
  name: string,
  settings: McpProgram,
  place: ServerPlace,
  talk: Talk & { readonly signal: AbortSignal; readonly grace: number },
): Promise<ProcessResult | { readonly refused: string }> {
  const { workspace = "none" } = settings
  const scratch = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "cadre-mcp-"))
  try {
    const root = workspace === "none" ? scratch : place.root
    const cwd = workspace === "none" ? scratch : folderOf(root, place.cwd)
    if (cwd === undefined)
      return { refused: `the folder ${place.cwd} is not there, or not inside the workspace` }
    const environment = environmentOf(name, settings, { ...place, root: place.root })
    const program = findProgram(settings.command, environment.PATH!)
    if ("problem" in program) return { refused: withoutStop(program.problem) }
    const sandbox = sandboxOf(settings, place)
    if (typeof sandbox === "object") return sandbox
    const bounds = boundsOf(program.path, settings, { ...place, root, cwd }, sandbox)
    if ("problem" in bounds) return { refused: withoutStop(bounds.problem) }
    return await runProgram({
      words: [program.path, ...(settings.args ?? [])],
      cwd,
      environment,
      bounds,
      ...(workspace === "write" && {
        definitions: async () => [...(await definitionsBelow(root)), ...sharedDefinitions(root, cwd)],
      }),
      sandbox,
      timeout: 2 ** 31 - 1,
      talk,
      signal: talk.signal,
      limits: { grace: talk.grace },
    })
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

function environmentOf(
  name: string,
  { env = {} }: McpProgram,
  place: ServerPlace,
): Readonly<Record<string, string>> {
  const child = childEnvironment(place.environment ?? process.env, {
    root: place.root,
    marker: `mcp:${name}:${randomUUID()}`,
  })
  // What its processes are known by is not its own to say.
  const given = Object.entries(env).filter(([key]) => !key.startsWith("CADRE_"))
  return { ...child, ...Object.fromEntries(given), HOME: place.home ?? os.homedir() }
}

/** What rules deny, only a sandbox keeps from a program that nobody can look into. */
function sandboxOf(
  { sandbox }: McpProgram,
  { sandbox: ofCommands, forbidden = [] }: ServerPlace,
): SandboxChoice | { readonly refused: string } {
  const chosen = ofCommands === "required" ? ofCommands : (sandbox ?? ofCommands)
  const [first] = forbidden
  if (!first) return chosen
  if (chosen !== "off") return "required"
  return {
    refused: `rules deny ${first.pattern}, and without the sandbox nothing would keep the server from it. Take \`sandbox: off\` out`,
  }
}

function boundsOf(
  program: string,
  settings: McpProgram,
  { root, cwd, home = os.homedir(), forbidden = [], protect = [], hidden = [] }: ServerPlace,
  sandbox: SandboxChoice,
): Bounds | { readonly problem: string } {
  const { network = "none", workspace = "none", visible = [], writable = [] } = settings
  const wrong = writable.find((folder) => overlap(path.resolve(root, folder), root))
  if (workspace !== "none" && wrong !== undefined)
    return {
      problem: `${wrong} is of the workspace, for which it has \`workspace\`: take it out of \`writable\``,
    }
  const shown = sandbox === "off" ? { folders: [] } : foldersOf(program, home)
  if ("problem" in shown) return shown
  const bounds = commandBounds(
    { protect, writable, visible: [...visible, ...shown.folders], hidden },
    { cwd },
    { root, home, network, forbidden },
  )
  if ("problem" in bounds || workspace === "write") return bounds
  // The workspace is only read, and a folder of its own needs no guard.
  return { ...bounds, protected: workspace === "read" ? [root] : [] }
}

const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

const withoutStop = (text: string): string => text.replace(/\.$/, "")
