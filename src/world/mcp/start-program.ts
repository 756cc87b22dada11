import { randomUUID } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import type { McpProgram } from "../../agent/mcp-server.ts"
import type { ForbiddenPath } from "../../agent/tool.ts"
import { findServerScripts, readServerScript } from "../../definitions/servers/scripts.ts"
import { makeTemporaryFolder } from "../../ground/paths/temporary-folder.ts"
import { findProgram, findProgramFolders } from "../executors/find-program.ts"
import { buildChildEnvironment } from "../sandbox/child-environment.ts"
import type { ProcessResult, SandboxChoice, Talk } from "../sandbox/process.ts"
import { runBoundedProgram } from "../sandbox/run-program.ts"
import type { SandboxBounds } from "../sandbox/sandbox-arguments.ts"
import { computeCommandBounds } from "../tools/command/bounds.ts"
import { listDefinitionsBelow } from "../tools/command/definitions-below.ts"
import { resolveStartFolder } from "../tools/command/place.ts"
import { listSharedDefinitions } from "../tools/command/shared-definitions.ts"
import type { LoginPlace } from "./login/login-file.ts"

/** The place where a server works, and the restrictions that apply to it there. */
export interface ServerPlace {
  /** The workspace. */
  readonly root: string
  /** The working directory of the run that needs the server. */
  readonly cwd: string
  /** The sandbox setting of commands. Where it is `required`, every server runs in the sandbox, too. */
  readonly sandbox: SandboxChoice
  readonly home?: string
  /** Paths that rules deny. */
  readonly forbidden?: readonly ForbiddenPath[]
  /** Additional paths of the workspace that the server cannot change. */
  readonly protect?: readonly string[]
  /** Folders that the server cannot see. */
  readonly hidden?: readonly string[]
  /** Set if others wrote the entry: the project, and the scripts of it that the user trusted. */
  readonly trusted?: TrustedScripts
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The user's logins. Absent: a server that asks for a login cannot be used. */
  readonly logins?: LoginPlace
  /** `none`: no person answers what a server asks. Default: `answered`. */
  readonly questions?: "answered" | "none"
}

/** The scripts of a project that its servers may run. */
export interface TrustedScripts {
  /** The project, or its worktree. */
  readonly root: string
  /** True if the user trusted the file at this path below the project with this content. */
  isTrusted(below: string, hash: string): boolean
}

/** Runs a server's program until it ends. The program leaves nothing behind, even if this process is killed. */
export async function startProgram(
  name: string,
  settings: McpProgram,
  place: ServerPlace,
  talk: Talk & { readonly signal: AbortSignal; readonly grace: number },
): Promise<ProcessResult | { readonly refused: string }> {
  const { workspace = "none" } = settings
  const { path: scratch, remove } = makeTemporaryFolder("cadre-mcp-")
  try {
    const root = workspace === "none" ? scratch : place.root
    const cwd = workspace === "none" ? scratch : resolveStartFolder(root, place.cwd)
    if (cwd === undefined)
      return { refused: `the folder ${place.cwd} does not exist, or is outside the workspace` }
    const problem = projectProblem(settings, place)
    if (problem !== undefined) return { refused: problem }
    const environment = environmentOf(name, settings, { ...place, root: place.root })
    const program = findProgram(resolveProgramCommand(settings, place), environment.PATH!)
    if ("problem" in program) return { refused: withoutStop(program.problem) }
    const sandbox = sandboxOf(settings, place)
    if (typeof sandbox === "object") return sandbox
    const bounds = boundsOf(program.path, settings, { ...place, root, cwd }, sandbox)
    if ("problem" in bounds) return { refused: withoutStop(bounds.problem) }
    return await runBoundedProgram({
      words: [program.path, ...(settings.args ?? [])],
      cwd,
      environment,
      bounds,
      ...(workspace === "write" && {
        definitions: async () => [...(await listDefinitionsBelow(root)), ...listSharedDefinitions(root, cwd)],
      }),
      sandbox,
      timeout: 2 ** 31 - 1,
      talk,
      signal: talk.signal,
      limits: { grace: talk.grace },
    })
  } finally {
    remove()
  }
}

/** A project's file may name a program of the project, relative to its own folder. */
export const resolveProgramCommand = ({ command }: McpProgram, { trusted, cwd }: ServerPlace): string =>
  trusted && /[/\\]/.test(command) ? path.resolve(cwd, command) : command

/** The reason why a server of a project does not start. Scripts are compared at every start: a run may change them. */
function projectProblem(settings: McpProgram, { trusted, cwd: folder }: ServerPlace): string | undefined {
  if (!trusted) return undefined
  const { root } = trusted
  for (const file of findServerScripts(settings, { folder, root })) {
    const below = path.relative(root, file)
    const content = readServerScript(file, root)
    if (!content) return `its script ${below} cannot be read, or leads out of the project`
    if (!trusted.isTrusted(below, content.hash))
      return `its script ${below} is not trusted as it is now. Read it, then run \`cadre trust\``
    if (settings.workspace === undefined || settings.workspace === "none")
      return `its script ${below} is in the workspace, which its entry does not let it see. Add \`workspace: read\` to the entry`
  }
  return undefined
}

function environmentOf(
  name: string,
  { env = {} }: McpProgram,
  place: ServerPlace,
): Readonly<Record<string, string>> {
  const child = buildChildEnvironment(place.environment ?? process.env, {
    root: place.root,
    marker: `mcp:${name}:${randomUUID()}`,
  })
  // CADRE_ variables mark the server's processes, so an entry may not set them.
  const ownVariables = Object.entries(env).filter(([key]) => !key.startsWith("CADRE_"))
  return { ...child, ...Object.fromEntries(ownVariables), HOME: place.home ?? os.homedir() }
}

/** A foreign program cannot be inspected, so only a sandbox can enforce the paths that rules deny. */
function sandboxOf(
  { sandbox }: McpProgram,
  { sandbox: commandSandbox, forbidden = [] }: ServerPlace,
): SandboxChoice | { readonly refused: string } {
  const choice = commandSandbox === "required" ? commandSandbox : (sandbox ?? commandSandbox)
  const [first] = forbidden
  if (!first) return choice
  if (choice !== "off") return "required"
  return {
    refused: `rules deny ${first.pattern}, and only the sandbox can enforce that. Remove \`sandbox: off\` from its entry`,
  }
}

function boundsOf(
  program: string,
  settings: McpProgram,
  { root, cwd, home = os.homedir(), forbidden = [], protect = [], hidden = [] }: ServerPlace,
  sandbox: SandboxChoice,
): SandboxBounds | { readonly problem: string } {
  const { network = "none", workspace = "none", visible = [], writable = [] } = settings
  const overlapping = writable.find((folder) => overlap(path.resolve(root, folder), root))
  if (workspace !== "none" && overlapping !== undefined)
    return {
      problem: `${overlapping} is part of the workspace, which \`workspace\` governs. Remove it from \`writable\``,
    }
  const file = [...visible, ...writable].find((place) => isFile(path.resolve(root, place)))
  if (sandbox !== "off" && file !== undefined)
    return {
      problem: `${file} in its \`${visible.includes(file) ? "visible" : "writable"}\` is a file, and the sandbox takes folders. Name the folder that it lies in`,
    }
  const programFolders = sandbox === "off" ? { folders: [] } : findProgramFolders(program, home)
  if ("problem" in programFolders) return programFolders
  const bounds = computeCommandBounds(
    { protect, writable, visible: [...visible, ...programFolders.folders], hidden },
    { cwd },
    { root, home, network, forbidden },
  )
  if ("problem" in bounds || workspace === "write") return bounds
  // The workspace is read-only, and the server's own folder needs no protection.
  return { ...bounds, protected: workspace === "read" ? [root] : [] }
}

const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

const withoutStop = (text: string): string => text.replace(/\.$/, "")

const isFile = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false })?.isFile() === true
