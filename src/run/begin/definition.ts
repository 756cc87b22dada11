import type { Agent, AgentSource, ToolDefinition } from "../../agent/agent.ts"
import { isKnownName, lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { findToolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { executorToolName } from "../../agent/executor.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import { hideInputs } from "../../agent/injected-inputs.ts"
import type { OfferedTool } from "../../agent/model.ts"
import { hasServer } from "../../agent/server-choice.ts"
import type { ScriptTool, Tool } from "../../agent/tool.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import { createValidator, type JsonSchema, type Validate } from "../../ground/schema/schema.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition, PinnedDefinition, PinnedTool } from "../ports/pinned.ts"
import { coversTool } from "../rights/pattern.ts"
import { createGrantReader, isGranting, isScriptTool, resolveToolName } from "../rights/tool-list.ts"
import { describeUnregistered, findToolNameProblems, listToolEntries } from "../rights/tool-names.ts"
import { submitName } from "../words/prompt.ts"
import type { ToolOffer } from "./offer.ts"
import { findScriptProblems } from "./script-tools.ts"

/** The tools of its parent that an agent's definition grants: a child never gets more. */
export function grantTools(
  agent: Agent,
  parent: readonly string[],
  allTools: ReadonlyMap<string, Tool>,
): readonly string[] {
  const sayingOf = createGrantReader(agent, allTools)
  return parent.filter((name) => isGranting(sayingOf(name)))
}

/** In some formats a child may not call agents, unless its list names the tool for it. */
export const withoutDelegation = (
  agent: Agent,
  granted: readonly string[],
  allTools: ReadonlyMap<string, Tool>,
): readonly string[] =>
  getFormatTraits(agent.origin.format).handsOnListedOnly && agent.tools.mode === "inherit"
    ? granted.filter((name) => {
        const tool = allTools.get(name)
        return tool?.kind !== "delegation" && tool?.comesWith !== "Agent"
      })
    : granted

/** The tools that an agent may delegate besides its own: those in `delegates` that its parent has and no entry denies. */
export const grantDelegates = (
  agent: Agent,
  parent: readonly string[],
  allTools: ReadonlyMap<string, Tool>,
): readonly string[] =>
  agent.delegates === undefined
    ? []
    : grantTools(
        { ...agent, tools: { ...agent.tools, mode: "list", allow: agent.delegates } },
        parent,
        allTools,
      )

/** Throws for names of no registered tool: in an allow list they grant less than was meant, in a deny list more. */
export function checkToolNames(agent: Agent, environment: ToolEnvironment): void {
  const wrongEntries = listToolEntries(agent).filter(
    ({ text, part }) =>
      !ownTool(agent, text) &&
      (findMissingTool(text, environment, agent)?.type === "unknown" ||
        findToolTextProblem(text) !== undefined ||
        ((part === "tools.deny" || part === "rules") && isIdle(text, environment))),
  )
  const problems = [
    ...findScriptProblems(agent, environment.tools),
    ...findServerProblems(agent, environment),
    ...findToolNameProblems(agent, wrongEntries, environment),
  ]
  if (problems.length > 0) throw new StartError(problems)
}

/** The servers in `mcpServers` that the agent cannot have. */
const findServerProblems = (agent: Agent, { toolSource }: ToolEnvironment): readonly StartProblem[] =>
  (agent.mcpServers?.length ? (toolSource?.problemsOf(agent) ?? []) : []).map(
    ({ index, message, ...problem }) => ({
      ...problem,
      part: "mcpServers",
      path: [index],
      message: `Agent "${agent.name}" does not start: ${message}`,
    }),
  )

type ToolEnvironment = Pick<Environment, "tools" | "absentTools" | "toolSource">

/** A deny pattern that matches no known tool denies nothing. Its author meant some tool, which would stay allowed. */
function isIdle(text: string, { tools, absentTools }: Pick<Environment, "tools" | "absentTools">): boolean {
  const { name } = splitToolName(text)
  if (!name.includes("*") || name.startsWith("mcp") || lookUpTool(name).type === "mcp") return false
  const isMeant = (other: string) => coversTool(name, other)
  return ![...tools.keys(), ...Object.keys(absentTools)].some(isMeant) && !isKnownName(isMeant)
}

/** A name without a tool: the tool is absent here, or it is another host's without an equivalent, or it is unknown. */
export type NameWithoutTool =
  | { readonly type: "absent"; readonly name: string; readonly reason: string }
  | { readonly type: "foreign" | "unknown" }

export function findMissingTool(
  text: string,
  { tools, absentTools, toolSource }: ToolEnvironment,
  agent?: Agent,
): NameWithoutTool | undefined {
  const toolNames = resolveToolName(text, tools)
  if (toolNames?.length === 0) return { type: "foreign" }
  if (toolNames?.some((name) => mayUse(agent, tools.get(name)))) return undefined
  if (text === submitName || toolSource?.mayHave(text, agent)) return undefined
  // Without a configured executor, the tool Executor does not exist.
  if (splitToolName(text).name === executorToolName) return { type: "foreign" }
  const name = absentAs(text, absentTools)
  return name === undefined ? { type: "unknown" } : { type: "absent", name, reason: absentTools[name]! }
}

/** Patterns name no tool in particular, so every agent may write them. */
const mayUse = (agent: Agent | undefined, tool: Tool | undefined): boolean =>
  !agent || !tool?.server || hasServer(agent, tool.server)

/** Throws for unknown tools in the configuration's rules. A rule may name every known tool, registered here or not. */
export function checkRuleNames({
  rights,
  tools: allTools,
  absentTools,
}: Pick<Environment, "rights" | "tools" | "absentTools">): void {
  const unknownNames = rights.rules
    .map(({ tool }) => tool)
    .filter(
      (name) =>
        (resolveToolName(name, allTools) === undefined &&
          ["unknown", "pattern"].includes(lookUpTool(name).type)) ||
        isIdle(name, { tools: allTools, absentTools }),
    )
    .filter((name) => absentAs(name, absentTools) === undefined)
  if (unknownNames.length > 0)
    throw new CadreError(
      "TOOL_UNKNOWN",
      describeUnregistered("The configuration", unknownNames, allTools.keys()),
    )
}

/** The registered tools that an entry of a list names. A pattern names none in particular. */
export const findNamedTools = (entry: string, allTools: ReadonlyMap<string, Tool>): readonly string[] =>
  (resolveToolName(entry, allTools) ?? []).filter((name) => allTools.has(name))

/** The warnings about tools that an agent names and that are not available here. */
export const warnOfAbsentTools = (
  agent: Agent,
  absentTools: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.keys(absentTools).length === 0
    ? []
    : [...new Set(agent.tools.allow.flatMap((name) => absentAs(name, absentTools) ?? []))].map(
        (name) => `The tool ${name} is not available here: ${absentTools[name]}.`,
      )

/** The absent tool that an entry names, in cadre's words or in another host's. */
function absentAs(text: string, absentTools: Readonly<Record<string, string>>): string | undefined {
  const { name } = splitToolName(text)
  const tool = lookUpTool(name)
  const ours = tool.type === "equivalent" ? tool.name : name
  return Object.hasOwn(absentTools, ours) ? ours : undefined
}

export function pinDefinition(
  agent: Agent,
  granted: readonly string[],
  tools: ReadonlyMap<string, Tool>,
  { descriptions, withheld, deferred }: ToolOffer,
): PinnedDefinition {
  const { injectedInputs = [] } = getFormatTraits(agent.origin.format)
  const pinned = granted.map((name): PinnedTool => {
    const tool = tools.get(name)!
    const ownDefinition = ownTool(agent, name)
    const script = readScriptTool(agent, tool)
    const written = script?.input ?? ownDefinition?.parameters
    return {
      name,
      description:
        script?.description ?? ownDefinition?.description ?? descriptions.get(name)?.text ?? tool.description,
      input: written ? hideInputs(written, injectedInputs) : tool.input,
      kind: tool.kind,
      effect: script?.effect ?? tool.effect,
      ...(tool.poller && { poller: tool.poller }),
      ...(tool.timeout !== undefined && { timeout: tool.timeout }),
      ...(tool.original !== undefined && { original: tool.original }),
      ...(tool.listed !== undefined && { listed: tool.listed }),
      ...(script && { listed: script.listed }),
      ...(tool.server && { server: tool.server }),
      ...((withheld.includes(name) ||
        tool.unoffered ||
        (tool.kind === "control" && tool.needsDeferred && deferred.length === 0)) && {
        withheld: true as const,
      }),
      ...(deferred.includes(name) && { deferred: true as const }),
      ...(written && { strict: true as const }),
    }
  })
  const isAsked = agent.pipeline === undefined && agent.executor === undefined
  const { result } = agent
  return {
    agent,
    tools: result && isAsked ? [...pinned, submitTool(agent, hideInputs(result, injectedInputs))] : pinned,
  }
}

/** The script of a definition behind a tool. Undefined: the tool runs no script, or the script cannot run. */
export function readScriptTool(agent: Agent, tool: Tool): ScriptTool | undefined {
  const definition = ownTool(agent, tool.name)
  if (tool.kind !== "function" || !tool.ofDefinition || !definition) return undefined
  const script = tool.ofDefinition(definition, agent)
  return script === "unread" || "problem" in script ? undefined : script
}

/** The tools that do what a script of the agent's definition does, and that are not among those that it may have. */
export function findMissingNeeds(
  agent: Agent,
  tool: Tool | undefined,
  had: readonly string[],
): readonly string[] {
  const script = tool && readScriptTool(agent, tool)
  return (script?.needs ?? []).filter((need) => !had.includes(need))
}

/** The definition's own description of a tool, which the model is told in place of the tool's. */
const ownTool = ({ toolDefinitions }: Agent, tool: string): ToolDefinition | undefined =>
  toolDefinitions?.find(({ name }) => name === tool)

export function prepareDefinition(
  hash: string,
  blob: string,
  pinned: PinnedDefinition,
  tools: ReadonlyMap<string, Tool>,
): Definition {
  const offer = ({ name, description, input, kind, strict }: PinnedTool): OfferedTool => ({
    name,
    description,
    input,
    ...((strict || kind === "submit") && { strict: true }),
  })
  const offered = pinned.tools.filter((tool) => !tool.withheld && !tool.deferred).map(offer)
  const validators = new Map<string, Validate>()
  return {
    ...pinned,
    hash,
    blob,
    names: pinned.tools.map(({ name }) => name),
    withheld: pinned.tools.filter((tool) => tool.withheld).map(({ name }) => name),
    offered,
    deferred: pinned.tools.filter((tool) => tool.deferred && !tool.withheld).map(offer),
    closing: pinned.tools.filter((tool) => tool.kind === "submit").map(offer),
    byName: new Map(pinned.tools.map((tool) => [tool.name, tool])),
    validate(name) {
      // The tool's own validator is used while its schema is the pinned one, because it may also transform the input.
      const spec = this.byName.get(name)
      if (!spec) return undefined
      if (!validators.has(name)) {
        const code = tools.get(name)
        validators.set(
          name,
          spec.kind === "submit"
            ? resultValidator(spec, pinned.agent)
            : validatorFor(spec, code, ownTool(pinned.agent, name)),
        )
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

/** Input must fit both the definition's own schema of a tool and the registered tool. */
function validatorFor(
  { input }: PinnedTool,
  code: Tool | undefined,
  ownDefinition: ToolDefinition | undefined,
): Validate {
  if (code && sameSchema(code.input, input)) return code.validate
  const validatePinned = createValidator(input)
  if (!code || !ownDefinition) return validatePinned
  return async (value) => {
    const pinnedResult = await validatePinned(value)
    return "problem" in pinnedResult ? pinnedResult : code.validate(pinnedResult.value)
  }
}

/** A result must fit the schema of the definition, and whatever its format demands of every result. */
function resultValidator({ input }: PinnedTool, { origin }: Agent): Validate {
  const { resultContract } = getFormatTraits(origin.format)
  const validateSchema = createValidator(input)
  if (!resultContract) return validateSchema
  const validateContract = createValidator(resultContract)
  return async (value) => {
    const result = await validateSchema(value)
    return "problem" in result ? result : validateContract(result.value)
  }
}

/** The most definitions that stay ready. Others are read from their log again. */
const mostReady = 500

/** Drops the oldest definition: with a context, one agent may have a new definition in every run. */
export function rememberDefinition(definitions: Map<string, Definition>, definition: Definition): void {
  definitions.set(definition.hash, definition)
  if (definitions.size > mostReady) definitions.delete(definitions.keys().next().value!)
}

/** The changes between the definition that a run is pinned to and the agents and tools of now. */
export function findDefinitionChanges(
  pinned: PinnedDefinition,
  agents: AgentSource,
  tools: ReadonlyMap<string, Tool>,
): readonly string[] {
  const changes: string[] = []
  const agent = agents.find(pinned.agent.name)
  if (agent && JSON.stringify(agent) !== JSON.stringify(asNamed(pinned.agent, agent)))
    changes.push(
      `agent "${pinned.agent.name}" has changed since this run started; the run keeps the definition it started with`,
    )
  for (const tool of pinned.tools) {
    if (tool.kind === "submit") continue
    const code = tools.get(tool.name)
    if (!code) changes.push(`tool "${tool.name}" is no longer registered; calls to it fail`)
    else if (tool.server && code.server?.entry !== tool.server.entry)
      changes.push(`tool "${tool.name}" belongs to another MCP server now; calls to it fail`)
    else if (isScriptTool(code)) {
      const script = readScriptTool(pinned.agent, code)
      if (script?.listed !== tool.listed)
        changes.push(`the script of tool "${tool.name}" has changed since this run started; calls to it fail`)
    } else if (!sameSchema(ownTool(pinned.agent, tool.name)?.parameters ?? code.input, tool.input))
      changes.push(`the input schema of tool "${tool.name}" has changed since this run started`)
  }
  return changes
}

/** A workflow that an agent only names is pinned with its steps. To compare, the pinned agent gets the name back. */
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
