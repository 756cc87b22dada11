import { type AgentMode, agentModes, trimBody } from "../../agent/agent.ts"
import { fitValue } from "../../ground/keys.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import type { Values } from "./document/document.ts"
import { wordsType } from "./fields/common.ts"
import type { AgentPart } from "./fields/part.ts"

/** The parts of an agent that each generation of Gobby's files expresses in other keys. */
export const gobbyParts: readonly AgentPart[] = [
  {
    keys: ["default_variables", "workflows", "lifecycle_variables"],
    read: (values) => some(variablesOf(values)),
    put: (draft, value) => {
      draft.variables = mapOf(value)
    },
    of: ({ variables }) => some(variables ?? {}),
    write: (value, { workflows }) => {
      const { variables: _, ...rest } = mapOf(workflows)
      return { ...entry("workflows", workflows && rest), ...entry("lifecycle_variables", value) }
    },
  },
  {
    keys: ["workflow", "default_workflow", "step_workflow", "steps", "step_variables", "exit_condition"],
    read: workflowOf,
    put: (draft, value) => {
      if (value !== undefined) draft.workflow = value
    },
    of: ({ workflow }) => workflow,
    write: (value) => {
      if (isMap(value)) return entry("step_workflow", value)
      return typeof value === "string" || value === null ? entry("workflow", value) : {}
    },
  },
  {
    // Null counts as absent.
    keys: ["mode"],
    read: modeOf,
    put: (draft, value) => {
      if (value !== undefined) draft.mode = value as AgentMode
    },
    of: ({ mode }) => mode,
    write: (value) => entry("mode", value),
  },
  {
    keys: ["prompts", "role", "goal", "personality", "instructions"],
    read: instructionsOf,
    put: (draft, value) => {
      draft.instructions = (value as string | undefined) ?? trimPrompt(draft.description) ?? ""
    },
    of: ({ instructions }) => instructions || undefined,
    write: (value, { prompts }) => {
      if (value === undefined) return {}
      const instructions = String(value).replace(/^## Instructions\n/, "")
      return prompts === undefined && instructionsOf({ instructions }) === value
        ? entry("instructions", instructions)
        : entry("prompts", { ...mapOf(prompts), agent: value })
    },
  },
  {
    keys: ["blocked_tools", "blocked_mcp_tools"],
    read: (values) => {
      const denied = deniedTools(values)
      return denied.length > 0 ? denied : undefined
    },
    put: (draft, value) => {
      if (value !== undefined)
        draft.tools = { mode: "inherit", allow: [], ...draft.tools, deny: value as readonly string[] }
    },
    of: ({ tools }) => (tools && tools.deny.length > 0 ? tools.deny : undefined),
    write: (value) => entry("blocked_tools", value),
  },
  {
    // `none`, `current` and `inherit` are the default.
    keys: ["isolation"],
    read: ({ isolation }) => ownPlace(isolation),
    put: (draft, value) => {
      if (value !== undefined) draft.isolation = value as string
    },
    of: ({ isolation }) => isolation,
    write: (value) => entry("isolation", ownPlace(value)),
  },
  {
    // Later files list skills by occasion, which an agent cannot express.
    keys: ["skills"],
    read: ({ skills }) => (skills === undefined || skills === null ? undefined : wordsOf(skills)),
    put: (draft, value) => {
      if (value !== undefined) draft.skills = value as readonly string[]
    },
    of: ({ skills }) => skills,
    write: (value) => entry("skills", value),
  },
]

/** Later keys override earlier ones, variable by variable, and null is a value. */
const variablesOf = (values: Values): Values => ({
  ...mapOf(values.default_variables),
  ...mapOf(mapOf(values.workflows).variables),
  ...mapOf(values.lifecycle_variables),
})

/** Steps written out override a name. A name may be one of `workflows`. `workflow: null` means no workflow. */
function workflowOf(values: Values): Json | undefined {
  const { step_workflow, steps, step_variables, exit_condition, workflow, default_workflow } = values
  if (isMap(step_workflow)) return step_workflow
  if (Array.isArray(steps))
    return {
      steps,
      ...(isMap(step_variables) && { variables: step_variables }),
      ...(typeof exit_condition === "string" && { exit_condition }),
    }
  const name = typeof workflow === "string" ? workflow : default_workflow
  if (typeof name !== "string") return workflow === null ? null : undefined
  const inline = ownWorkflow(values, name)
  if (!isMap(inline)) return name
  return typeof inline.file === "string" ? inline.file.replace(/^.*\/|\.ya?ml$/g, "") : { name, ...inline }
}

/** Looks up own properties only: every object has a `__proto__`, which here is a name like any other. */
function ownWorkflow({ workflows }: Values, name: string): Json | undefined {
  const byName = mapOf(workflows)
  return Object.hasOwn(byName, name) ? byName[name] : undefined
}

/** The mode of the agent's first workflow overrides the agent's own. */
function modeOf(values: Values): Json | undefined {
  const { mode, workflow, default_workflow } = values
  const name = typeof workflow === "string" ? workflow : default_workflow
  const ofWorkflow = typeof name === "string" ? mapOf(ownWorkflow(values, name)).mode : undefined
  return [ofWorkflow, mode].find((value) => agentModes.some((agentMode) => agentMode === value))
}

const sections = { role: "Role", goal: "Goal", personality: "Personality", instructions: "Instructions" }

/** The whole prompt for agents, else the sections as Gobby joins them, else the prompt for personas. */
function instructionsOf(values: Values): string | undefined {
  const { agent, persona } = mapOf(values.prompts)
  const parts = Object.entries(sections).flatMap(([key, title]) => {
    const text = trimPrompt(values[key])
    return text === undefined ? [] : [`## ${title}\n${text}`]
  })
  return trimPrompt(agent) ?? (parts.length > 0 ? parts.join("\n\n") : trimPrompt(persona))
}

/** An unreadable value denies every tool, because it was meant to narrow the agent. */
function deniedTools(values: Values): readonly string[] {
  const own = wordsOf(values.blocked_tools) ?? ["*"]
  const ofServers = wordsOf(values.blocked_mcp_tools) ?? ["*"]
  return [...own, ...ofServers.map(serverTool)]
}

/** Writes `server:tool` as `mcp__server__tool`. */
function serverTool(name: string): string {
  if (name === "*") return "mcp__*"
  const [server, tool] = name.includes(":") ? name.split(/:(.*)/s) : ["*", name]
  return `mcp__${server}__${tool}`
}

const ownPlace = (value: Json | undefined) => (value === "worktree" || value === "clone" ? value : undefined)

function wordsOf(value: Json | undefined): string[] | undefined {
  if (value === undefined || value === null) return []
  const fit = fitValue(wordsType, value)
  return "value" in fit ? (fit.value as string[]) : undefined
}

/** A text as a prompt has it, trimmed; undefined if blank or no text. */
export function trimPrompt(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? trimBody(value).instructions : undefined
}

const entry = (key: string, value: Json | undefined): Values => (value === undefined ? {} : { [key]: value })

const some = (values: Values): Values | undefined => (Object.keys(values).length > 0 ? values : undefined)
