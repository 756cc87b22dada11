import type { Agent } from "../../agent/agent.ts"
import { type ExecutorOption, type ExecutorSettings, resolveSandbox } from "../../agent/executor.ts"
import type { RunBounds } from "../../run/ports/planner.ts"
import { isAboutPaths, readRulePattern } from "../../run/rights/pattern.ts"
import {
  collectExecutorBounds,
  coversWholeTool,
  type Denial,
  type ExecutorBounds,
  type LimitedUses,
} from "./bounds.ts"
import { isPlainToolName, isPlainToolUse } from "./plain-name.ts"
import { listCanonicalTools, listProgramNames } from "./tool-names.ts"
import { couldDo } from "./tool-uses.ts"

/** The tools and uses that a program is told it may have. An empty list of tools means none at all. */
export interface HandedRestrictions {
  readonly tools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  /** The only allowed uses of the tools that these entries name. */
  readonly uses?: readonly string[]
  readonly disallowedUses?: readonly string[]
}

export type HandOverResult =
  /** `taken`: tools of the agent's own list that it does not get. */
  | { readonly handed: HandedRestrictions; readonly taken: readonly Denial[] }
  /** The reason why the run does not start, and advice. */
  | { readonly problem: string }

/**
 * Translates all restrictions of a run into the program's own options. If the program has no option for one of them,
 * the run does not start.
 */
export function handOverRestrictions(
  settings: ExecutorSettings,
  agent: Agent,
  binding: RunBounds,
): HandOverResult {
  const bounds = collectExecutorBounds(agent, binding)
  if (!bounds) return { handed: {}, taken: [] }
  const { tools, taken } = bounds
  // The caller of this function refuses the run, and names the rules that took the tools.
  if (tools?.length === 0 && taken.length > 0) return { handed: { tools }, taken }
  const parts = splitRestrictions(bounds)
  const untold = [
    ...(tools ? untoldList(settings, agent, tools) : []),
    ...parts.denied.flatMap((denial) => untoldDenial(settings, denial)),
    ...untoldLimits(settings, parts.only),
    ...parts.deniedUses.flatMap((denial) => untoldUse(settings, denial)),
    ...parts.paths.flatMap((denial) => untoldPath(settings, binding, denial)),
  ]
  if (untold.length > 0) return { problem: untoldProblem(agent.executor!, untold) }
  return {
    handed: {
      ...(tools && { tools }),
      ...(parts.denied.length > 0 && {
        disallowedTools: unique(parts.denied.flatMap(({ tool }) => listProgramNames(tool))),
      }),
      ...(parts.only.length > 0 && { uses: unique(parts.only.flatMap(({ uses }) => uses)) }),
      ...(parts.deniedUses.length > 0 && {
        disallowedUses: unique(parts.deniedUses.map(({ tool }) => tool)),
      }),
    },
    taken,
  }
}

/** The restrictions that remain once the program has its list of tools. */
interface Restrictions {
  readonly denied: readonly Denial[]
  readonly only: readonly LimitedUses[]
  readonly deniedUses: readonly Denial[]
  readonly paths: readonly Denial[]
}

function splitRestrictions({ tools, denials, only }: ExecutorBounds): Restrictions {
  const uses = denials.filter(({ tool }) => !coversWholeTool(tool) && couldDo(tools, tool))
  return {
    denied: tools ? [] : denials.filter(({ tool }) => coversWholeTool(tool)),
    only: only.filter(({ tool }) => !tools || tools.some((name) => listCanonicalTools(name).includes(tool))),
    deniedUses: uses.filter(({ tool }) => !isOfPath(tool)),
    paths: uses.filter(({ tool }) => isOfPath(tool)),
  }
}

const isOfPath = (what: string): boolean => isAboutPaths(readRulePattern(what))

/** A restriction that the program has no option for, and advice. */
interface UntoldRestriction {
  readonly what: string
  readonly hint: string
}

function untoldList(
  { options = {} }: ExecutorSettings,
  { tools: own }: Agent,
  tools: readonly string[],
): readonly UntoldRestriction[] {
  const source = own.mode === "list" ? "from its `tools`" : "from its caller"
  if (tools.length === 0)
    return options.noTools ? [] : [{ what: `it may use no tools (${source})`, hint: hintFor("noTools") }]
  const what = `it may use only ${tools.join(", ")} (${source})`
  if (!options.tools) return [{ what, hint: hintFor("tools") }]
  const ambiguous = tools.filter((tool) => !isPlainToolName(tool)).map((tool) => JSON.stringify(tool))
  if (ambiguous.length === 0) return []
  return [
    { what, hint: `List each tool by its plain name: the program could misread ${ambiguous.join(", ")}.` },
  ]
}

function untoldDenial({ options = {} }: ExecutorSettings, denial: Denial): readonly UntoldRestriction[] {
  const what = describeDenial(denial)
  if (!options.disallowedTools) return [{ what, hint: hintFor("disallowedTools") }]
  if (isPlainToolName(denial.tool)) return []
  return [{ what, hint: "List each tool by its plain name, or give the agent a list of `tools`." }]
}

/**
 * Two different lists of uses for one tool apply together, which no program can express. Lists of paths cannot be told
 * either: each program reads paths in its own way.
 */
function untoldLimits(
  { options = {} }: ExecutorSettings,
  all: readonly LimitedUses[],
): readonly UntoldRestriction[] {
  const texts = new Map(all.map(({ tool, uses }) => [tool, uses.join(", ")]))
  return all
    .filter(({ tool, uses }) => {
      const canBeTold =
        options.uses && uses.length > 0 && uses.every((use) => isPlainToolUse(use) && !isOfPath(use))
      return !canBeTold || uses.join(", ") !== texts.get(tool)
    })
    .map(({ tool, uses, of }) => ({
      what: `it may use ${tool} only as ${uses.join(", ") || "(nothing)"} (from ${of})`,
      hint: hintFor("uses"),
    }))
}

const untoldUse = ({ options = {} }: ExecutorSettings, denial: Denial): readonly UntoldRestriction[] =>
  options.disallowedUses && isPlainToolUse(denial.tool)
    ? []
    : [{ what: describeDenial(denial), hint: hintFor("disallowedUses") }]

/** The sandbox enforces denied paths, so those need no option. */
function untoldPath(
  settings: ExecutorSettings,
  { confinement }: RunBounds,
  denial: Denial,
): readonly UntoldRestriction[] {
  const isBoxed = resolveSandbox(settings, confinement?.sandbox ?? "preferred") !== "off"
  if (isBoxed && denial.decision === "deny") return []
  const hint = isBoxed
    ? "Deny this path in place of asking: a program in the sandbox cannot ask a person."
    : "Run the executor in the sandbox, which enforces denied paths."
  return [{ what: describeDenial(denial), hint }]
}

const describeDenial = ({ tool, source, decision }: Denial): string =>
  `${source} ${{ deny: "denies", ask: "asks about", lack: "has no" }[decision]} ${tool}`

const hintFor = (option: ExecutorOption): string => hints[option] ?? ""

const hints: { readonly [Name in ExecutorOption]?: string } = {
  tools: "Give the executor an option that limits it to a list, such as `options: {tools: [--tools, '{}']}`.",
  noTools: "Give the executor an option that allows no tools, such as `options: {noTools: [--tools, '']}`.",
  disallowedTools:
    "Give the executor an option that denies tools, such as `options: {disallowedTools: [--disallowedTools, '{}']}`, or give the agent a list of `tools`.",
  uses: "Remove the tool from its `tools`, or list it without parentheses. If the program can limit uses, configure `options: {uses: …}`.",
  disallowedUses:
    "Remove the tool from its `tools`. If the program can deny uses, configure `options: {disallowedUses: …}`.",
}

const untoldProblem = (executor: string, untold: readonly UntoldRestriction[]): string =>
  `its executor ${executor} has no option for these restrictions: ${unique(untold.map(({ what }) => what)).join("; ")}. ${unique(untold.map(({ hint }) => hint)).join(" ")}`

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
