import { readFileSync } from "node:fs"
import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { refusedClaims } from "../../../definitions/authority/trusted-agents.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { findSandbox, type Sandbox } from "../../../world/sandbox/find-sandbox.ts"
import { fixedProgram } from "../../../world/tools/fixed-program.ts"
import type { Surroundings } from "../command.ts"
import type { Opened } from "../run/open.ts"
import { changedTrust, untrusted } from "../run/trust.ts"
import type { Examined } from "./examined.ts"
import { examineExecutors } from "./executors.ts"

/** `look`: nothing is run. `try`: the sandbox is, once, with a command that does nothing. */
export type Depth = "look" | "try"

/** What agents can use here, and what holds them. */
export async function examineTools(
  surroundings: Surroundings,
  { standing, configuration, parts }: Pick<Opened, "standing" | "configuration" | "parts">,
  depth: Depth,
): Promise<readonly Examined[]> {
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
      ([what, reason]): Examined => ({
        part: "Tools",
        what,
        state: "not here",
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

/** Whoever denies a command is to know what that is worth. */
function commandRules({ permissions: { deny } }: Configuration): readonly Examined[] {
  const rules = deny.filter((rule) => isAboutCommands(splitToolName(rule)))
  if (rules.length === 0) return []
  return [
    {
      part: "Tools",
      what: "permissions.deny",
      state: "names commands",
      level: "note",
      reason: `${rules.join(", ")}: this holds for commands that are seen, and not for what a script or a program such as make runs in turn.`,
      remedy:
        "Deny what must not be reached with `Read(…)` or `Edit(…)`; in the sandbox these hold for scripts, too.",
    },
  ]
}

function isAboutCommands({ name, argument }: ReturnType<typeof splitToolName>): boolean {
  const tool = lookUpTool(name)
  return argument !== undefined && "name" in tool && tool.name === "Bash"
}

/** What a command may leave behind, or reach, where nothing holds it but its own process group and a watchdog. */
const withoutIt =
  "Commands then write and reach whatever you can, the network too; and what they start can survive if it leaves its process group and clears its environment while cadre is killed."

async function sandbox({ sandbox: choice, network }: Configuration, depth: Depth): Promise<Examined> {
  const finding = { part: "Tools", what: "sandbox for Bash" } as const
  if (choice === "off")
    return {
      ...finding,
      state: "off",
      level: "note",
      reason: `Your configuration turned it off. ${withoutIt}`,
      remedy: "Set `sandbox: preferred` or `required`.",
    }
  const found = depth === "try" ? await findSandbox() : lookForSandbox()
  if ("path" in found) {
    const state = `${found.path} ${depth === "try" ? "works" : "is there"}, network ${network}`
    const remedy = "`cadre doctor --try` runs it once."
    return { ...finding, state, level: "fine", ...(depth === "look" && { remedy }) }
  }
  const why = `${found.problem[0]!.toUpperCase()}${found.problem.slice(1)}`
  const reason = /[.?!]$/.test(why) ? why : `${why}.`
  return choice === "required"
    ? { ...finding, state: "not there", level: "broken", reason, remedy: "Until then no command runs." }
    : {
        ...finding,
        state: "not there",
        level: "note",
        reason: `${reason} ${withoutIt}`,
        remedy: "Set `sandbox: required` to run no command without it.",
      }
}

/** What can be told without running it. */
function lookForSandbox(): Sandbox {
  if (process.platform !== "linux")
    return { problem: `bubblewrap is for Linux, and this is ${process.platform}` }
  const path = fixedProgram("bwrap")
  if (path === undefined) return { problem: 'bubblewrap is not installed: install the package "bubblewrap"' }
  const closed = ["/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone"].find(
    (file) => readWord(file) === "0",
  )
  return closed === undefined ? { path } : { problem: `${closed} is 0: ${path} cannot make user namespaces` }
}

function readWord(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return undefined
  }
}

function ripgrep(): Examined {
  const program = fixedProgram("rg")
  return program === undefined
    ? {
        part: "Tools",
        what: "ripgrep",
        state: "not there",
        level: "note",
        reason: "Grep searches without it, more slowly.",
        remedy: 'Install the package "ripgrep".',
      }
    : { part: "Tools", what: "ripgrep", state: program, level: "fine" }
}

/** Whether this project is trusted, and what of it is not. */
export function examineTrust(
  runs: Pick<Opened, "workspace" | "standing">,
  base: string,
): readonly Examined[] {
  const { standing, workspace } = runs
  const { root, claims, record, of } = standing
  const agents = new Map(
    [...refusedClaims(workspace.registry, standing).values()].map((agent) => [agent.origin.file, agent]),
  )
  const changed = changedTrust(runs, base, "kept")
  const finding = { part: "Trust", what: root } as const
  if (claims.length === 0 && changed === undefined)
    return [{ ...finding, state: "nothing here needs to be trusted", level: "fine" }]
  const open = claims.filter((claim) => of(claim) !== "trusted")
  const remedy = "`cadre trust` shows what they would gain, and asks."
  return [
    open.length === 0
      ? { ...finding, state: `trusted since ${record!.at.slice(0, 10)}`, level: "fine" }
      : {
          ...finding,
          state: record ? "trusted in part" : "not trusted",
          level: "note",
          reason: `${open.length} of ${claims.length} files ${open.length === 1 ? "does" : "do"} not count for runs.`,
          remedy,
        },
    ...(changed === undefined
      ? []
      : [
          {
            part: "Trust",
            what: "what you trusted",
            state: "changed or gone",
            level: "broken",
            reason: changed,
          } as const,
        ]),
    ...open.map((claim): Examined => {
      const agent = agents.get(claim.file)
      return {
        part: "Trust",
        what: shownPath(claim.file, base),
        state: of(claim) === "changed" ? "changed since it was trusted" : "not trusted",
        level: "note",
        // A run of the agent is refused in these words.
        reason: agent ? untrusted(agent, standing, base) : `It would have: ${claim.gains.join("; ")}.`,
      }
    }),
  ]
}
