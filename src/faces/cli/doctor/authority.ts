import { readFileSync } from "node:fs"
import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { findRefusedAgents } from "../../../definitions/authority/trusted-agents.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { findSystemProgram } from "../../../ground/system-program.ts"
import { findSandbox, type Sandbox } from "../../../world/sandbox/find-sandbox.ts"
import type { ProcessContext } from "../command.ts"
import type { ProjectRuns } from "../run/open.ts"
import { describeChangedTrust, describeUntrustedAgent } from "../run/trust.ts"
import { examineExecutors } from "./executors.ts"
import type { DoctorFinding } from "./finding.ts"

/**
 * `look` runs nothing. `try` runs the sandbox once, with a command that does nothing, and asks the MCP servers for their
 * tools.
 */
export type DoctorDepth = "look" | "try"

/** Checks the tools of agents, the rules about commands, the sandbox and the executors. */
export async function examineTools(
  surroundings: ProcessContext,
  { standing, configuration, parts }: Pick<ProjectRuns, "standing" | "configuration" | "parts">,
  depth: DoctorDepth,
): Promise<readonly DoctorFinding[]> {
  const { tools, absentTools } = parts
  return [
    {
      part: "Tools",
      what: "tools",
      state: String(tools.length),
      level: "fine",
      reason: `${tools.map(({ name }) => name).join(", ")}.`,
    },
    ...Object.entries(absentTools).map(
      ([what, reason]): DoctorFinding => ({
        part: "Tools",
        what,
        state: "not available",
        level: "note",
        reason: `${reason[0]!.toUpperCase()}${reason.slice(1)}.`,
      }),
    ),
    ...commandRules(configuration),
    await sandbox(configuration, depth),
    ripgrep(),
    ...examineExecutors(surroundings, standing.root, configuration),
  ]
}

/** Warns users who deny commands that such a rule does not cover programs which run other programs. */
function commandRules({ permissions: { deny } }: Configuration): readonly DoctorFinding[] {
  const rules = deny.filter((rule) => isAboutCommands(splitToolName(rule)))
  if (rules.length === 0) return []
  return [
    {
      part: "Tools",
      what: "permissions.deny",
      state: "names commands",
      level: "note",
      reason: `${rules.join(", ")}: these rules apply to the commands that the model writes, not to commands that a script or a program such as make runs.`,
      remedy:
        "To protect files, deny `Read(…)` or `Edit(…)`: in the sandbox these rules apply to scripts too.",
    },
  ]
}

function isAboutCommands({ name, argument }: ReturnType<typeof splitToolName>): boolean {
  const tool = lookUpTool(name)
  return argument !== undefined && "name" in tool && tool.name === "Bash"
}

/** The risks of commands that no sandbox holds, only a process group and a watchdog. */
const withoutIt =
  "Without it, commands can change every file that you can change, and use the network. A process that they start can outlive cadre: it has to leave its process group and clear its environment before cadre is killed."

async function sandbox(
  { sandbox: choice, network }: Configuration,
  depth: DoctorDepth,
): Promise<DoctorFinding> {
  const finding = { part: "Tools", what: "sandbox for Bash" } as const
  if (choice === "off")
    return {
      ...finding,
      state: "off",
      level: "note",
      reason: `Your configuration turns it off. ${withoutIt}`,
      remedy: "Set `sandbox: preferred` or `required`.",
    }
  const sandboxFinding = depth === "try" ? await findSandbox() : lookForSandbox()
  if ("path" in sandboxFinding) {
    const state = `${sandboxFinding.path} ${depth === "try" ? "works" : "is installed"}, network ${network}`
    const remedy = "`cadre doctor --try` tests it."
    return { ...finding, state, level: "fine", ...(depth === "look" && { remedy }) }
  }
  const why = `${sandboxFinding.problem[0]!.toUpperCase()}${sandboxFinding.problem.slice(1)}`
  const reason = /[.?!]$/.test(why) ? why : `${why}.`
  return choice === "required"
    ? { ...finding, state: "not available", level: "broken", reason, remedy: "Until then, no command runs." }
    : {
        ...finding,
        state: "not available",
        level: "note",
        reason: `${reason} ${withoutIt}`,
        remedy: "To run no commands without it, set `sandbox: required`.",
      }
}

/** Looks for the sandbox without running it. */
function lookForSandbox(): Sandbox {
  if (process.platform !== "linux")
    return { problem: `bubblewrap works only on Linux, and this is ${process.platform}` }
  const path = findSystemProgram("bwrap")
  if (path === undefined) return { problem: 'bubblewrap is not installed. Install the package "bubblewrap"' }
  const disabledSetting = [
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/kernel/unprivileged_userns_clone",
  ].find((file) => readWord(file) === "0")
  return disabledSetting === undefined
    ? { path }
    : { problem: `${disabledSetting} is 0, so ${path} cannot create user namespaces` }
}

function readWord(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return undefined
  }
}

function ripgrep(): DoctorFinding {
  const program = findSystemProgram("rg")
  return program === undefined
    ? {
        part: "Tools",
        what: "ripgrep",
        state: "not installed",
        level: "note",
        reason: "Without it, Grep is slower.",
        remedy: 'Install the package "ripgrep".',
      }
    : { part: "Tools", what: "ripgrep", state: program, level: "fine" }
}

/** Checks whether this project is trusted, and lists its files that are not. */
export function examineTrust(
  runs: Pick<ProjectRuns, "workspace" | "standing">,
  base: string,
): readonly DoctorFinding[] {
  const { standing, workspace } = runs
  const { root, claims, record, of } = standing
  const agents = new Map(
    [...findRefusedAgents(workspace.registry, standing).values()].map((agent) => [agent.origin.file, agent]),
  )
  const changed = describeChangedTrust(runs, base, "kept")
  const finding = { part: "Trust", what: root } as const
  if (claims.length === 0 && changed === undefined)
    return [{ ...finding, state: "nothing here needs trust", level: "fine" }]
  const open = claims.filter((claim) => of(claim) !== "trusted")
  const remedy = "`cadre trust` shows what each file would be allowed to do, and asks you."
  return [
    open.length === 0
      ? { ...finding, state: `trusted since ${record!.at.slice(0, 10)}`, level: "fine" }
      : {
          ...finding,
          state: record ? "partly trusted" : "not trusted",
          level: "note",
          reason: `${open.length} of ${claims.length} files ${open.length === 1 ? "is" : "are"} not trusted, so runs do not use ${open.length === 1 ? "it" : "them"}.`,
          remedy,
        },
    ...(changed === undefined
      ? []
      : [
          {
            part: "Trust",
            what: "trusted files",
            state: "changed or gone",
            level: "broken",
            reason: changed,
          } as const,
        ]),
    ...open.map((claim): DoctorFinding => {
      const agent = agents.get(claim.file)
      return {
        part: "Trust",
        what: toDisplayPath(claim.file, base),
        state: of(claim) === "changed" ? "changed since it was trusted" : "not trusted",
        level: "note",
        // The same message as when a run of the agent is refused.
        reason: agent
          ? describeUntrustedAgent(agent, standing, base)
          : `If trusted, it gets: ${claim.gains.join("; ")}.`,
      }
    }),
  ]
}
