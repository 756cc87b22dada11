import type { Agent } from "../../agent/agent.ts"
import { type ExecutorOption, type ExecutorSettings, sandboxOf } from "../../agent/executor.ts"
import type { Binding } from "../../run/ports/planner.ts"
import { isAboutPaths, readRulePattern } from "../../run/rights/pattern.ts"
import { type Bounds, boundsOf, type Denial, isWhole, type OnlyUses } from "./bounds.ts"
import { isPlainName, isPlainUse } from "./plain-name.ts"
import { everyNameOf, meaningOf } from "./tool-names.ts"
import { couldDo } from "./tool-uses.ts"

/** What a program is told of what it may use. An empty list of tools is none at all. */
export interface Handed {
  readonly tools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  /** Of the tools that these name, these uses and no others. */
  readonly uses?: readonly string[]
  readonly disallowedUses?: readonly string[]
}

export type HandOver =
  /** `taken`: what of its own list it is not given. */
  | { readonly handed: Handed; readonly taken: readonly Denial[] }
  /** Why the run does not start, with what to do. */
  | { readonly problem: string }

/** Tells a program everything that binds a run, in words that limit it. Where it has none for something, the run does not start. */
export function handOver(settings: ExecutorSettings, agent: Agent, binding: Binding): HandOver {
  const bounds = boundsOf(agent, binding)
  if (!bounds) return { handed: {}, taken: [] }
  const { tools, taken } = bounds
  // Whoever starts the run refuses it, and names who took the tools.
  if (tools?.length === 0 && taken.length > 0) return { handed: { tools }, taken }
  const of = partsOf(bounds)
  const unheard = [
    ...(tools ? unheardList(settings, agent, tools) : []),
    ...of.denied.flatMap((denial) => unheardDenial(settings, denial)),
    ...unheardOnly(settings, of.only),
    ...of.deniedUses.flatMap((denial) => unheardUse(settings, denial)),
    ...of.paths.flatMap((denial) => unheardPath(settings, binding, denial)),
  ]
  if (unheard.length > 0) return { problem: cannotBeTold(agent.executor!, unheard) }
  return {
    handed: {
      ...(tools && { tools }),
      ...(of.denied.length > 0 && {
        disallowedTools: once(of.denied.flatMap(({ what }) => everyNameOf(what))),
      }),
      ...(of.only.length > 0 && { uses: once(of.only.flatMap(({ uses }) => uses)) }),
      ...(of.deniedUses.length > 0 && { disallowedUses: once(of.deniedUses.map(({ what }) => what)) }),
    },
    taken,
  }
}

/** What is left to be told once the program has its list. */
interface Parts {
  readonly denied: readonly Denial[]
  readonly only: readonly OnlyUses[]
  readonly deniedUses: readonly Denial[]
  readonly paths: readonly Denial[]
}

function partsOf({ tools, denials, only }: Bounds): Parts {
  const uses = denials.filter(({ what }) => !isWhole(what) && couldDo(tools, what))
  return {
    denied: tools ? [] : denials.filter(({ what }) => isWhole(what)),
    only: only.filter(({ tool }) => !tools || tools.some((name) => meaningOf(name).includes(tool))),
    deniedUses: uses.filter(({ what }) => !isOfPath(what)),
    paths: uses.filter(({ what }) => isOfPath(what)),
  }
}

const isOfPath = (what: string): boolean => isAboutPaths(readRulePattern(what))

/** What a program cannot be told, in words that follow `that`, and what to do. */
interface Unheard {
  readonly what: string
  readonly hint: string
}

function unheardList(
  { options = {} }: ExecutorSettings,
  { tools: own }: Agent,
  tools: readonly string[],
): readonly Unheard[] {
  const whose = own.mode === "list" ? "as its `tools` say" : "as whoever calls it"
  if (tools.length === 0)
    return options.noTools ? [] : [{ what: `it may use no tools, ${whose}`, hint: wanting("noTools") }]
  const what = `it may use nothing but ${tools.join(", ")}, ${whose}`
  if (!options.tools) return [{ what, hint: wanting("tools") }]
  const odd = tools.filter((tool) => !isPlainName(tool)).map((tool) => JSON.stringify(tool))
  if (odd.length === 0) return []
  return [{ what, hint: `Name each tool by itself: the program could take ${odd.join(", ")} for others.` }]
}

function unheardDenial({ options = {} }: ExecutorSettings, denial: Denial): readonly Unheard[] {
  const what = saying(denial)
  if (!options.disallowedTools) return [{ what, hint: wanting("disallowedTools") }]
  if (isPlainName(denial.what)) return []
  return [{ what, hint: "Name each tool by itself, or give the agent a list of `tools`." }]
}

/** Two that differ hold both, for which no program has words; and each reads paths in its own way. */
function unheardOnly({ options = {} }: ExecutorSettings, all: readonly OnlyUses[]): readonly Unheard[] {
  const texts = new Map(all.map(({ tool, uses }) => [tool, uses.join(", ")]))
  return all
    .filter(({ tool, uses }) => {
      const isTold = options.uses && uses.length > 0 && uses.every((use) => isPlainUse(use) && !isOfPath(use))
      return !isTold || uses.join(", ") !== texts.get(tool)
    })
    .map(({ tool, uses, of }) => ({
      what: `of ${tool} it may make no use but ${uses.join(", ") || "none"}, by ${of}`,
      hint: wanting("uses"),
    }))
}

const unheardUse = ({ options = {} }: ExecutorSettings, denial: Denial): readonly Unheard[] =>
  options.disallowedUses && isPlainUse(denial.what)
    ? []
    : [{ what: saying(denial), hint: wanting("disallowedUses") }]

/** The sandbox keeps a program from paths that rules deny. */
function unheardPath(
  settings: ExecutorSettings,
  { confinement }: Binding,
  denial: Denial,
): readonly Unheard[] {
  const isBoxed = sandboxOf(settings, confinement?.sandbox ?? "preferred") !== "off"
  if (isBoxed && denial.decision === "deny") return []
  const hint = isBoxed
    ? "Deny it, and the sandbox keeps the program from it: nobody can be asked there."
    : "Let the executor run in the sandbox, which keeps it from paths that rules deny."
  return [{ what: saying(denial), hint }]
}

const saying = ({ what, of, decision }: Denial): string =>
  `${of} ${{ deny: "denies", ask: "asks about", lack: "has no" }[decision]} ${what}`

const wanting = (option: ExecutorOption): string => hints[option] ?? ""

const hints: { readonly [Name in ExecutorOption]?: string } = {
  tools: "Give the executor words that limit it to a list, such as `options: {tools: [--tools, '{}']}`.",
  noTools: "Give the executor words that mean none, such as `options: {noTools: [--tools, '']}`.",
  disallowedTools:
    "Give the executor words that take tools away, such as `options: {disallowedTools: [--disallowedTools, '{}']}`, or give the agent a list of `tools`.",
  uses: "Leave the tool out of its `tools` or list it without parentheses; a program that keeps to such uses is told of them with `options: {uses: …}`.",
  disallowedUses:
    "Leave the tool out of its `tools`; a program that keeps from such uses is told of them with `options: {disallowedUses: …}`.",
}

const cannotBeTold = (executor: string, unheard: readonly Unheard[]): string =>
  `the executor ${executor} runs it, and cannot be told that ${once(unheard.map(({ what }) => what)).join("; nor that ")}. ${once(unheard.map(({ hint }) => hint)).join(" ")}`

const once = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
