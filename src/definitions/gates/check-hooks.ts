import type { Agent } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { getValueAt, type Json } from "../../ground/message.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { readDocument } from "../formats/document/document.ts"
import { locateInScalar } from "../formats/document/scalar-offset.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { placeOfPart } from "../formats/format.ts"
import { diagnose, type Locate, type Problem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { checkDefinition, checkSet } from "../lifecycle/check.ts"
import { reportUnknownSet, reportUnpickedSet } from "../lifecycle/check-sets.ts"
import { readHookFile } from "../lifecycle/files.ts"
import type { HookFacts, HookFinding } from "../lifecycle/finding.ts"
import type { HookSet } from "../lifecycle/hook-set.ts"
import { listSetHolders } from "../lifecycle/sets.ts"
import { isStopping } from "../lifecycle/stopping.ts"
import type { RegistryEntry } from "../registry/entry.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { SubagentRegistry } from "../registry/registry.ts"
import { applyLevels } from "../rules/levels.ts"
import { findPythonValues } from "./python-values.ts"

/** The files of hooks, and all findings about hooks. */
export interface CheckedHooks {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface HookCheckContext {
  readonly skills: ReadonlyMap<string, unknown>
  readonly configuration: Configuration
}

/** Checks the hooks of the configuration, of files of hooks (used or not), and of definitions. */
export function checkAllHooks(
  around: HookCheckContext,
  registry: SubagentRegistry,
  places: readonly HookFile[],
): CheckedHooks {
  const { configuration } = around
  const files = places.map(readFile)
  const sets = [...configuredSets(configuration), ...files.flatMap(({ set }) => set ?? [])]
  const facts = surroundingsOf(around, registry.all())
  return {
    files: files.map(({ path, text }) => ({ path, text })),
    diagnostics: [
      ...checkedSets(around, registry, files),
      ...registry
        .entries()
        .flatMap((entry) => lookAtEntry(entry, sets, facts))
        .flatMap((looked) => diagnosed(looked, configuration)),
    ],
  }
}

/** Checks only the hooks outside of definitions, which may apply to runs of any agent. */
export const checkGates = (
  around: HookCheckContext,
  registry: SubagentRegistry,
  places: readonly HookFile[],
): readonly Diagnostic[] => checkedSets(around, registry, places.map(readFile))

function checkedSets(
  around: HookCheckContext,
  registry: SubagentRegistry,
  files: readonly ReadHooksFile[],
): readonly Diagnostic[] {
  const agents = registry.all()
  const facts = surroundingsOf(around, agents)
  return [
    ...configuredSets(around.configuration).map((set) => lookAtSet(set, agents, facts)),
    ...files.map((file) => lookAtFile(file, agents, facts)),
  ].flatMap((looked) => diagnosed(looked, around.configuration))
}

const diagnosed = (
  { file, text, locate, problems }: Looked,
  { rules }: Configuration,
): readonly Diagnostic[] => diagnose(file, text, locate, applyLevels(problems, rules, isStopping))

/** A checked file and its problems. */
interface Looked {
  readonly file: string
  readonly text: string
  readonly locate: Locate
  readonly problems: readonly Problem[]
}

interface ReadHooksFile {
  readonly path: string
  readonly text: string
  readonly set: HookSet | undefined
  /** Gobby skips the file, so its errors keep no agent from starting. */
  readonly aside?: true
  /** The problems that make the file unreadable. */
  readonly problems: readonly Problem[]
  readonly locate: Locate
}

/** Reads a file of hooks. Problems of a workflow are reported by `workflowFindings`. */
function readFile(place: HookFile): ReadHooksFile {
  const { set } = readHookFile(place)
  const nothing = { path: place.file, text: "", set, locate: () => undefined }
  if (place.unread) return { ...nothing, problems: [unreadProblem(place.unread)] }
  const reading = readSourceFile(place.file, place.boundary)
  if (reading.type === "refused") return { ...nothing, problems: [reading.problem] }
  const { text } = reading.source
  const { locate } = readDocument(text, "yaml", new Set())
  return {
    path: place.file,
    text,
    set,
    ...(place.aside && { aside: true as const }),
    problems: textProblems(place, text),
    locate,
  }
}

function textProblems({ format, aside }: HookFile, text: string): readonly Problem[] {
  if (format === "workflow") return []
  const problems = findYamlProblems(text)
  return problems.length > 0 || format !== "gobby" || aside ? problems : findPythonValues(text)
}

const unreadProblem = ({ code, message }: NonNullable<HookFile["unread"]>): Problem => ({
  code,
  severity: "error",
  message,
  at: { type: "start" },
})

/** Finds invalid YAML. A file that may forbid something is never repaired, so what is a warning elsewhere is an error here. */
export function findYamlProblems(text: string): readonly Problem[] {
  const yaml = readYaml(text)
  if (yaml.type === "value") return []
  const errors = readDocument(text, "yaml", new Set()).problems.filter(({ severity }) => severity === "error")
  if (errors.length > 0) return errors
  const span = { start: yaml.offset, end: Math.min(yaml.offset + 1, text.length) }
  return [
    {
      code: "yaml-invalid",
      severity: "error",
      message: `Invalid YAML: ${yaml.message}. A file that may forbid something is never repaired automatically, so correct it.`,
      at: { type: "span", span },
    },
  ]
}

function configuredSets({ hooks, files }: Configuration): readonly HookSet[] {
  return (["user", "project"] as const).flatMap((of) => {
    // The user's file comes first. Without one, the project's file is the only one.
    const file = of === "user" ? files[0] : files.at(-1)
    const configuredHooks = hooks[of]
    if (configuredHooks === undefined || file === undefined) return []
    return [
      { name: `${of} configuration`, of, file, hooks: configuredHooks, keysOf: (path) => ["hooks", ...path] },
    ]
  })
}

type Known = Omit<HookFacts, "holders" | "of">

function surroundingsOf({ skills, configuration }: HookCheckContext, agents: readonly Agent[]): Known {
  return {
    agents: new Map(agents.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name]))),
    tools: new Set(configuration.tools),
    skills: new Set(skills.keys()),
    locked: configuration.lockedVariables,
  }
}

const namesOf = (agents: readonly Agent[]): readonly string[] => agents.map(({ name }) => name)

function lookAtSet(set: HookSet, agents: readonly Agent[], facts: Known): Looked {
  const reading = readSourceFile(set.file!)
  const text = reading.type === "refused" ? "" : reading.source.text
  const { locate } = readDocument(text, "yaml", new Set())
  return { file: set.file!, text, locate, problems: setProblems(set, { text, locate }, agents, facts) }
}

function lookAtFile(
  { path, text, set, problems, locate, aside }: ReadHooksFile,
  agents: readonly Agent[],
  facts: Known,
): Looked {
  const allProblems =
    problems.length > 0 || !set ? problems : setProblems(set, { text, locate }, agents, facts)
  // An agent that picks a skipped file with errors is refused when it starts.
  return {
    file: path,
    text,
    locate,
    problems: aside ? allProblems.filter(({ severity }) => severity !== "error") : allProblems,
  }
}

function setProblems(
  set: HookSet,
  place: Pick<Looked, "text" | "locate">,
  agents: readonly Agent[],
  facts: Known,
): readonly Problem[] {
  const holders = namesOf(listSetHolders(set, agents))
  const { hooks, name, pickedOnly, keysOf = (path) => path } = set
  return [
    ...(pickedOnly && set.off === undefined && holders.length === 0
      ? [problemOf(reportUnpickedSet(name), hooks, { ...place, keysOf: (path) => path })]
      : []),
    ...checkSet(set, { ...facts, holders, of: set.of }).map((finding) =>
      problemOf(finding, hooks, { ...place, keysOf }),
    ),
  ]
}

function lookAtEntry(
  { candidate: { agent, file } }: RegistryEntry,
  sets: readonly HookSet[],
  facts: Known,
): readonly Looked[] {
  const { hooks, lifecycle } = agent
  if (!file || (hooks === undefined && lifecycle === undefined)) return []
  const { path, text, locate, format } = file
  const keysBelow = (part: string): NonNullable<HookSet["keysOf"]> => {
    const at = placeOfPart(format, part, undefined, locate)
    return (keys) => [...(at.type === "value" ? at.path : []), ...keys]
  }
  const findings = hooks === undefined ? [] : checkDefinition(agent, hooks, facts)
  const isKnown = lifecycle === undefined || sets.some(({ name }) => name === lifecycle)
  const problems = [
    ...(isKnown
      ? []
      : [
          problemOf(reportUnknownSet(lifecycle, sets), null, {
            text,
            locate,
            keysOf: keysBelow("lifecycle"),
          }),
        ]),
    ...findings.map((finding) =>
      problemOf(finding, hooks ?? null, { text, locate, keysOf: keysBelow("hooks") }),
    ),
  ]
  return [{ file: path, text, locate, problems }]
}

/** Converts a finding to a problem with its place in the file. */
function problemOf(
  { path, offset, length = 1, about, ...finding }: HookFinding,
  hooks: Json,
  {
    text,
    locate,
    keysOf,
  }: Pick<Looked, "text" | "locate"> & { readonly keysOf: NonNullable<HookSet["keysOf"]> },
): Problem {
  const { code, severity, message } = finding
  const at = { type: about ?? "value", path: keysOf(path) } as const
  const value = getValueAt(hooks, path)
  const scalar =
    offset === undefined || typeof value !== "string" ? undefined : locate({ ...at, type: "value" })
  return {
    code,
    severity,
    message,
    at: scalar
      ? { type: "span", span: locateInScalar(text, scalar, value as string, { offset: offset!, length }) }
      : at,
  }
}
