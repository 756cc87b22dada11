import { type Agent, defineAgent } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Json } from "../../ground/message.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { readDocument } from "../formats/document/document.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { diagnose, type Locate, type Problem, type ProblemPlace } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { isStopping } from "../lifecycle/stopping.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { SubagentRegistry } from "../registry/registry.ts"
import { checkAgents } from "../rules/check.ts"
import { checkingRules } from "../rules/checking.ts"
import { applyLevels } from "../rules/levels.ts"
import { readWorkflowFile } from "../workflow/files.ts"
import { findYamlProblems } from "./check-hooks.ts"

interface Around {
  readonly configuration: Pick<Configuration, "tools" | "lockedVariables" | "rules">
}

/** Finds problems in workflow files. Workflows inside of definitions are checked with the definitions. */
export function checkWorkflowFiles(
  around: Around,
  registry: SubagentRegistry,
  files: readonly HookFile[],
): readonly Diagnostic[] {
  const agents = new Map(registry.all().map((agent) => [agent.name, agent]))
  return files.flatMap((place) => {
    const { named } = readWorkflowFile(place)
    if (!named) return []
    const reading = readSourceFile(place.file, place.boundary)
    const text = reading.type === "refused" ? "" : reading.source.text
    const problems =
      named.refused === undefined
        ? problemsIn(place, text, around, agents)
        : unreadProblems(place, named.refused)
    const { rules: levels } = around.configuration
    return diagnose(place.file, text, placesIn(text), applyLevels(problems.map(inFile), levels, isStopping))
  })
}

/** Checks a workflow as if an agent had it, so that the same rules apply. */
function problemsIn(
  { format }: HookFile,
  text: string,
  { configuration }: Around,
  agents: ReadonlyMap<string, Agent>,
): readonly Problem[] {
  const yaml = readYaml(text)
  const workflow: Json = yaml.type === "invalid" ? null : yaml.value
  const agent = { ...defineAgent({ name: "workflow", instructions: "-", workflow }), origin: { format } }
  const locate: Locate = (place) => placesIn(text)(placeInFile(place))
  const [problems] = checkAgents(
    [{ agent, format: undefined, source: { text, locate } }],
    {
      tools: new Set(configuration.tools),
      lockedVariables: configuration.lockedVariables,
      agents,
    },
    {},
    checkingRules.filter(({ code }) => /^(?:step|workflow)-/.test(code)),
  )
  return problems!
}

/** The problems that make a file unreadable. */
function unreadProblems({ file, boundary, unread: why }: HookFile, refused: string): readonly Problem[] {
  if (why) return []
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return []
  const problems = findYamlProblems(reading.source.text)
  return problems.length > 0 ? problems : [unread(refused)]
}

const placesIn = (text: string): Locate => readDocument(text, "yaml", new Set()).locate

const unread = (message: string): Problem => ({
  code: "workflow-invalid",
  severity: "error",
  message: `Invalid workflow: ${message}`,
  at: { type: "start" },
})

const inFile = (problem: Problem): Problem => ({ ...problem, at: placeInFile(problem.at) })

/** Keys below `workflow` in a definition are at the top level of a workflow file. */
const placeInFile = (place: ProblemPlace): ProblemPlace =>
  "path" in place && place.path[0] === "workflow" ? { ...place, path: place.path.slice(1) } : place
