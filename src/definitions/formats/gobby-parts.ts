import { type AgentMode, agentModes, trimBody } from "../../agent/agent.ts"
import { fitValue } from "../../ground/keys.ts"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import type { Values } from "./document/document.ts"
import { words } from "./fields/common.ts"
import type { Part } from "./fields/part.ts"

/** What Gobby's generations of files have each said in keys of their own. */
export const gobbyParts: readonly Part[] = [
  {
    keys: ["default_variables", "workflows", "lifecycle_variables"],
    read: (values) => some(variablesOf(values)),
    put: (draft, value) => {
      draft.variables = mapOf(value)
    },
    of: ({ variables }) => some(variables ?? {}),
    write: (value, { workflows }) => {
      const { variables: _, ...rest } = mapOf(workflows)
      return { ...said("workflows", workflows && rest), ...said("lifecycle_variables", value) }
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
      if (isMap(value)) return said("step_workflow", value)
      return typeof value === "string" || value === null ? said("workflow", value) : {}
    },
  },
  {
    // Null says nothing.
    keys: ["mode"],
    read: modeOf,
    put: (draft, value) => {
      if (value !== undefined) draft.mode = value as AgentMode
    },
    of: ({ mode }) => mode,
    write: (value) => said("mode", value),
  },
  {
    keys: ["prompts", "role", "goal", "personality", "instructions"],
    read: instructionsOf,
    put: (draft, value) => {
      draft.instructions = (value as string | undefined) ?? textOf(draft.description) ?? ""
    },
    of: ({ instructions }) => instructions || undefined,
    write: (value, { prompts }) => {
      if (value === undefined) return {}
      const instructions = String(value).replace(/^## Instructions\n/, "")
      return prompts === undefined && instructionsOf({ instructions }) === value
        ? said("instructions", instructions)
        : said("prompts", { ...mapOf(prompts), agent: value })
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
    write: (value) => said("blocked_tools", value),
  },
  {
    // `none`, `current` and `inherit` are what holds without a word.
    keys: ["isolation"],
    read: ({ isolation }) => ownPlace(isolation),
    put: (draft, value) => {
      if (value !== undefined) draft.isolation = value as string
    },
    of: ({ isolation }) => isolation,
    write: (value) => said("isolation", ownPlace(value)),
  },
  {
    // Later files have skills by occasion, which an agent has not.
    keys: ["skills"],
    read: ({ skills }) => (skills === undefined || skills === null ? undefined : wordsOf(skills)),
    put: (draft, value) => {
      if (value !== undefined) draft.skills = value as readonly string[]
    },
    of: ({ skills }) => skills,
    write: (value) => said("skills", value),
  },
]

/** Later ones win, key by key, and null is a value. */
const variablesOf = (values: Values): Values => ({
  ...mapOf(values.default_variables),
  ...mapOf(mapOf(values.workflows).variables),
  ...mapOf(values.lifecycle_variables),
})

/** Steps written out win over a name; a name may be that of one in `workflows`; `workflow: null` says that there are none. */
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
  const named = ownWorkflow(values, name)
  if (!isMap(named)) return name
  return typeof named.file === "string" ? named.file.replace(/^.*\/|\.ya?ml$/g, "") : { name, ...named }
}

/** A name such as `__proto__` is one like any other, and every object has something by it. */
function ownWorkflow({ workflows }: Values, name: string): Json | undefined {
  const named = mapOf(workflows)
  return Object.hasOwn(named, name) ? named[name] : undefined
}

/** That of the workflow which it begins with comes before its own. */
function modeOf(values: Values): Json | undefined {
  const { mode, workflow, default_workflow } = values
  const name = typeof workflow === "string" ? workflow : default_workflow
  const ofWorkflow = typeof name === "string" ? mapOf(ownWorkflow(values, name)).mode : undefined
  return [ofWorkflow, mode].find((given) => agentModes.some((known) => known === given))
}

const sections = { role: "Role", goal: "Goal", personality: "Personality", instructions: "Instructions" }

/** A whole prompt for agents, else sections as Gobby puts them together, else the prompt for personas. */
function instructionsOf(values: Values): string | undefined {
  const { agent, persona } = mapOf(values.prompts)
  const parts = Object.entries(sections).flatMap(([key, title]) => {
    const text = textOf(values[key])
    return text === undefined ? [] : [`## ${title}\n${text}`]
  })
  return textOf(agent) ?? (parts.length > 0 ? parts.join("\n\n") : textOf(persona))
}

/** What cannot be read takes everything away: it was meant to narrow. */
function deniedTools(values: Values): readonly string[] {
  const own = wordsOf(values.blocked_tools) ?? ["*"]
  const ofServers = wordsOf(values.blocked_mcp_tools) ?? ["*"]
  return [...own, ...ofServers.map(serverTool)]
}

/** `server:tool` as tools of servers are called everywhere else. */
function serverTool(name: string): string {
  if (name === "*") return "mcp__*"
  const [server, tool] = name.includes(":") ? name.split(/:(.*)/s) : ["*", name]
  return `mcp__${server}__${tool}`
}

const ownPlace = (value: Json | undefined) => (value === "worktree" || value === "clone" ? value : undefined)

function wordsOf(value: Json | undefined): string[] | undefined {
  if (value === undefined || value === null) return []
  const fit = fitValue(words, value)
  return "value" in fit ? (fit.value as string[]) : undefined
}

/** A text as a prompt has it; undefined where there is none. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? trimBody(value).instructions : undefined
}

const said = (key: string, value: Json | undefined): Values => (value === undefined ? {} : { [key]: value })

const some = (values: Values): Values | undefined => (Object.keys(values).length > 0 ? values : undefined)
