import type { Agent, AgentSource, ToolDefinition } from "../../agent/agent.ts"
import { isKnownName, lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { toolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { OfferedTool } from "../../agent/model.ts"
import type { Tool } from "../../agent/tool.ts"
import { waysOf } from "../../agent/ways.ts"
import { CadreError, StartError } from "../../ground/errors.ts"
import { type JsonSchema, type Validate, validator } from "../../ground/schema/schema.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition, Pinned, PinnedTool } from "../ports/pinned.ts"
import { isNamed } from "../rights/pattern.ts"
import { grantReader, isGrant, meanings } from "../rights/tool-list.ts"
import { toolEntries, toolNameProblems, unregistered } from "../rights/tool-names.ts"
import { submitName } from "../words/prompt.ts"
import type { Offer } from "./offer.ts"
import { scriptProblems } from "./script-tools.ts"

/** The tools an agent gets of those its parent has: narrowed, never widened. */
export function grantTools(
  agent: Agent,
  parent: readonly string[],
  known: ReadonlyMap<string, Tool>,
): readonly string[] {
  const sayingOf = grantReader(agent, known)
  return parent.filter((name) => isGrant(sayingOf(name)))
}

/** In some formats a child hands nothing on, unless its list names the tool for it. */
export const withoutDelegation = (
  agent: Agent,
  granted: readonly string[],
  known: ReadonlyMap<string, Tool>,
): readonly string[] =>
  waysOf(agent.origin.format).handsOnListedOnly && agent.tools.mode === "inherit"
    ? granted.filter((name) => {
        const tool = known.get(name)
        return tool?.kind !== "delegation" && tool?.comesWith !== "Agent"
      })
    : granted

/** What an agent may give to those it calls besides what it has: of its parent's, and what it is denied it cannot give. */
export const delegatedTools = (
  agent: Agent,
  parent: readonly string[],
  known: ReadonlyMap<string, Tool>,
): readonly string[] =>
  agent.delegates === undefined
    ? []
    : grantTools({ ...agent, tools: { ...agent.tools, mode: "list", allow: agent.delegates } }, parent, known)

/** Names that no registered tool answers to: in an allow list they grant less than was meant, in a deny list more. */
export function checkToolNames(agent: Agent, environment: Named): void {
  const wrong = toolEntries(agent).filter(
    ({ text, part }) =>
      !ownTool(agent, text) &&
      (nameWithoutTool(text, environment)?.type === "unknown" ||
        toolTextProblem(text) !== undefined ||
        ((part === "tools.deny" || part === "rules") && isIdle(text, environment))),
  )
  const problems = [
    ...scriptProblems(agent, environment.tools),
    ...toolNameProblems(agent, wrong, environment),
  ]
  if (problems.length > 0) throw new StartError(problems)
}

type Named = Pick<Environment, "tools" | "absentTools" | "toolSource">

/** A pattern that fits no tool that anybody knows denies nothing: it was meant for one, and would leave that. */
function isIdle(text: string, { tools, absentTools }: Pick<Environment, "tools" | "absentTools">): boolean {
  const { name } = splitToolName(text)
  if (!name.includes("*") || name.startsWith("mcp") || lookUpTool(name).type === "mcp") return false
  const isMeant = (other: string) => isNamed(name, other)
  return ![...tools.keys(), ...Object.keys(absentTools)].some(isMeant) && !isKnownName(isMeant)
}

/** Why a name stands for no tool here: the tool is absent, it is another host's and has no equivalent, or nobody knows it. */
export type NameWithoutTool =
  | { readonly type: "absent"; readonly name: string; readonly reason: string }
  | { readonly type: "foreign" | "unknown" }

export function nameWithoutTool(
  text: string,
  { tools, absentTools, toolSource }: Named,
): NameWithoutTool | undefined {
  const meant = meanings(text, tools)
  if (meant) return meant.length === 0 ? { type: "foreign" } : undefined
  if (text === submitName || toolSource?.mayHave(text)) return undefined
  // Where no executor is configured there is nothing to hand on.
  if (splitToolName(text).name === executorToolName) return { type: "foreign" }
  const name = absentAs(text, absentTools)
  return name === undefined ? { type: "unknown" } : { type: "absent", name, reason: absentTools[name]! }
}

/** A rule of the configuration may speak of any tool there is, registered here or not; one that nobody knows is a slip. */
export function checkRuleNames({
  rights,
  tools: known,
  absentTools,
}: Pick<Environment, "rights" | "tools" | "absentTools">): void {
  const wrong = rights.rules
    .map(({ tool }) => tool)
    .filter(
      (name) =>
        (meanings(name, known) === undefined && ["unknown", "pattern"].includes(lookUpTool(name).type)) ||
        isIdle(name, { tools: known, absentTools }),
    )
    .filter((name) => absentAs(name, absentTools) === undefined)
  if (wrong.length > 0)
    throw new CadreError("TOOL_UNKNOWN", unregistered("The configuration", wrong, known.keys()))
}

/** The registered tools that an entry of a list names; a pattern names none in particular. */
export const toolsNamed = (entry: string, known: ReadonlyMap<string, Tool>): readonly string[] =>
  (meanings(entry, known) ?? []).filter((name) => known.has(name))

/** What an agent names and will have to do without. */
export const absencesOf = (agent: Agent, absentTools: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(absentTools).length === 0
    ? []
    : [...new Set(agent.tools.allow.flatMap((name) => absentAs(name, absentTools) ?? []))].map(
        (name) => `The tool ${name} is not to be had here: ${absentTools[name]}.`,
      )

/** The name under which a tool is known to be absent, whatever host's name is written. */
function absentAs(text: string, absentTools: Readonly<Record<string, string>>): string | undefined {
  const { name } = splitToolName(text)
  const tool = lookUpTool(name)
  const ours = tool.type === "equivalent" ? tool.name : name
  return Object.hasOwn(absentTools, ours) ? ours : undefined
}

export function pin(
  agent: Agent,
  granted: readonly string[],
  tools: ReadonlyMap<string, Tool>,
  { descriptions, withheld }: Offer,
): Pinned {
  const pinned = granted.map((name): PinnedTool => {
    const tool = tools.get(name)!
    const own = ownTool(agent, name)
    return {
      name,
      description: own?.description ?? descriptions.get(name)?.text ?? tool.description,
      input: own?.parameters ?? tool.input,
      kind: tool.kind,
      effect: tool.effect,
      ...(tool.poller && { poller: tool.poller }),
      ...(tool.timeout !== undefined && { timeout: tool.timeout }),
      ...(tool.original !== undefined && { original: tool.original }),
      ...((withheld.includes(name) || tool.unoffered) && { withheld: true as const }),
    }
  })
  const isAsked = agent.pipeline === undefined && agent.executor === undefined
  const { result } = agent
  return { agent, tools: result && isAsked ? [...pinned, submitTool(agent, result)] : pinned }
}

/** What the definition itself says of a tool: that is what a model is told. */
const ownTool = ({ toolDefinitions }: Agent, tool: string): ToolDefinition | undefined =>
  toolDefinitions?.find(({ name }) => name === tool)

export function ready(
  hash: string,
  blob: string,
  pinned: Pinned,
  tools: ReadonlyMap<string, Tool>,
): Definition {
  const offer = ({ name, description, input, kind }: PinnedTool): OfferedTool => ({
    name,
    description,
    input,
    ...(kind === "submit" && { strict: true }),
  })
  const offered = pinned.tools.filter((tool) => !tool.withheld).map(offer)
  const validators = new Map<string, Validate>()
  return {
    ...pinned,
    hash,
    blob,
    names: pinned.tools.map(({ name }) => name),
    withheld: pinned.tools.filter((tool) => tool.withheld).map(({ name }) => name),
    offered,
    closing: pinned.tools.filter((tool) => tool.kind === "submit").map(offer),
    byName: new Map(pinned.tools.map((tool) => [tool.name, tool])),
    validate(name) {
      // The code's own validator where the schema is still the pinned one: it may also transform.
      const spec = this.byName.get(name)
      if (!spec) return undefined
      if (!validators.has(name)) {
        const code = tools.get(name)
        validators.set(name, validatorFor(spec, code, ownTool(pinned.agent, name)))
      }
      return validators.get(name)
    },
    fixedBytes:
      Buffer.byteLength(pinned.agent.instructions) +
      Buffer.byteLength(pinned.context?.text ?? "") +
      Buffer.byteLength(pinned.context?.environment ?? "") +
      Buffer.byteLength(JSON.stringify(offered)),
  }
}

/** What a definition says of its own tool, and the code that stands for it, must both fit. */
function validatorFor(
  { input }: PinnedTool,
  code: Tool | undefined,
  own: ToolDefinition | undefined,
): Validate {
  if (code && sameSchema(code.input, input)) return code.validate
  const told = validator(input)
  if (!code || !own) return told
  return async (value) => {
    const fitting = await told(value)
    return "problem" in fitting ? fitting : code.validate(fitting.value)
  }
}

/** Definitions that are ready at once; any other is read from its log again. */
const mostReady = 500

/** Keeps the newest: with a context, the same agent may be another definition every time. */
export function remember(definitions: Map<string, Definition>, definition: Definition): void {
  definitions.set(definition.hash, definition)
  if (definitions.size > mostReady) definitions.delete(definitions.keys().next().value!)
}

/** What changed between the definition a run is pinned to and what the runtime has now. */
export function differences(
  pinned: Pinned,
  agents: AgentSource,
  tools: ReadonlyMap<string, Tool>,
): readonly string[] {
  const found: string[] = []
  const agent = agents.find(pinned.agent.name)
  if (agent && JSON.stringify(agent) !== JSON.stringify(asNamed(pinned.agent, agent)))
    found.push(
      `agent "${pinned.agent.name}" has changed since this run started; the run goes on with the definition it started with`,
    )
  for (const tool of pinned.tools) {
    if (tool.kind === "submit") continue
    const code = tools.get(tool.name)
    if (!code) found.push(`tool "${tool.name}" is no longer registered; calls to it fail`)
    else if (!sameSchema(ownTool(pinned.agent, tool.name)?.parameters ?? code.input, tool.input))
      found.push(`tool "${tool.name}" has another input schema than when this run started`)
  }
  return found
}

/** A workflow that an agent only names is pinned as it was written out. */
const asNamed = (pinned: Agent, { workflow }: Agent): Agent =>
  typeof workflow === "string" && typeof pinned.workflow === "object" ? { ...pinned, workflow } : pinned

const sameSchema = (left: JsonSchema, right: JsonSchema) =>
  left === right || JSON.stringify(left) === JSON.stringify(right)

const submitTool = (agent: Agent, schema: JsonSchema): PinnedTool => ({
  name: submitName,
  description:
    ownTool(agent, submitName)?.description ??
    "Hand in your result. This ends your work: call it once, when you are done.",
  input: schema,
  kind: "submit",
  effect: "read",
})
