import { agentModes } from "../../agent/agent.ts"
import { anyText, type ValueType } from "../../ground/keys.ts"
import type { Values } from "./document/document.ts"
import {
  any,
  flag,
  kept,
  limit,
  list,
  map,
  model,
  ofOwnRun,
  same,
  text,
  tools,
  words,
} from "./fields/common.ts"
import type { Field, FieldReading } from "./fields/field.ts"
import { outputIn } from "./fields/output.ts"
import { keyOf, readPart, writePart } from "./fields/part.ts"
import type { Format } from "./format.ts"
import { gobbyEffects } from "./gobby-effects.ts"
import { gobbyParts, textOf } from "./gobby-parts.ts"
import { reportSteps } from "./gobby-steps.ts"

/** Gobby's agents of all its generations, up to September 2026. */
export const gobby: Format = {
  id: "gobby",
  title: "Gobby",
  doc: "Agents of Gobby, of every generation: YAML with lifecycle variables, limits, prompts in sections and workflow steps.",
  locations: {
    project: [".gobby/agents"],
    user: [".gobby/agents"],
    depth: "nested",
    extensions: [".yaml", ".yml"],
  },
  name: { pattern: /./, message: (name) => `invalid agent name \`${name}\``, file: "default" },
  instructions: "optional",
  instructionsKey: null,
  unknownKeys: "ignored",
  defaults(draft) {
    draft.limits = { timeout: 120_000, maxTurns: 10 }
  },
  fields: [
    { ...same("name", "name", text, "What the agent is called."), otherwise: "the name of the file" },
    {
      ...optional(same("description", "description", anyText, "What it is for.")),
      write: ({ description }) => description || undefined,
    },
    ofOwnRun({
      ...model("The model, by name. `null` is the default model.", orNull(text)),
      write: ({ model }) => (typeof model === "string" || model === null ? model : undefined),
    }),
    optional(
      same(
        "reasoning_effort",
        "effort",
        { type: "either", of: [text, { type: "number" }] },
        "How hard the model should think.",
      ),
    ),
    allowedTools(),
    keyOf("blocked_tools", "tools.deny", orNull(words), "Tools taken away."),
    keyOf(
      "blocked_mcp_tools",
      "tools.deny",
      orNull(words),
      "Tools of MCP servers taken away, as `server:tool` or `server:*`.",
    ),
    limitOrNone("timeout", "timeout", "120", "At most so many seconds; 0 is no limit of its own.", 1_000),
    limitOrNone("max_turns", "maxTurns", "10", "At most so many turns; 0 is no limit of its own."),
    keyOf(
      "lifecycle_variables",
      "variables",
      orNull(map),
      "Values that its hooks start from, over those of the other two keys; null is a value.",
    ),
    keyOf("default_variables", "variables", orNull(map), "Values that its hooks and workflow start from."),
    {
      ...keyOf(
        "workflows",
        "variables",
        orNull(map),
        "`variables` over the default ones, or workflows by name. Selectors of rules and skills are kept and have no effect.",
      ),
      effect: gobbyEffects.workflows,
    },
    optional(
      same(
        "inherit_variables",
        "inheritVariables",
        words,
        "Variables whose live values come from the parent.",
      ),
    ),
    optional(same("call_variables", "callVariables", words, "Variables that a model's call may set.")),
    {
      ...optional(same("lifecycle", "lifecycle", text, "A named set of hooks in place of the project's.")),
      aliases: ["lifecycle_workflow"],
    },
    keyOf("workflow", "workflow", orNull(text), "A workflow by name; null for none."),
    keyOf(
      "default_workflow",
      "workflow",
      orNull(text),
      "The one of `workflows` that holds where no other is named.",
    ),
    keyOf(
      "step_workflow",
      "workflow",
      orNull(map),
      "A workflow written out: `steps`, `variables`, `exit_condition`.",
    ),
    keyOf("steps", "workflow", orNull(list), "The steps of a workflow written out."),
    keyOf("step_variables", "workflow", orNull(map), "What the variables of the steps are at first."),
    keyOf("exit_condition", "workflow", orNull(text), "When the steps are done."),
    keyOf(
      "isolation",
      "isolation",
      orNull({ type: "choice", of: ["none", "current", "inherit", "worktree", "clone", ""] }),
      "Where it works: in a git `worktree` of its own; `none`, `current` and `inherit` are the caller's place. A `clone` is not to be had yet: such an agent does not start.",
    ),
    {
      ...keyOf(
        "skills",
        "skills",
        orNull({ type: "either", of: [words, map] }),
        "Skills loaded before the first turn; skills by occasion are kept and not loaded.",
      ),
      effect: gobbyEffects.skills,
    },
    {
      ...keyOf(
        "prompts",
        "instructions",
        orNull(map),
        "`agent`: the whole system prompt. `persona` is that only where there is nothing else.",
      ),
      effect: gobbyEffects.prompts,
    },
    keyOf("role", "instructions", orNull(anyText), "Who it is: a section of the system prompt."),
    keyOf("goal", "instructions", orNull(anyText), "What it is after: a section of the system prompt."),
    keyOf("personality", "instructions", orNull(anyText), "How it behaves: a section of the system prompt."),
    keyOf("instructions", "instructions", orNull(anyText), "What it does: a section of the system prompt."),
    {
      ...kept(
        "gobby",
        "enabled",
        orNull(flag),
        "Whether Gobby offers it; where it does not, it is hidden here.",
      ),
      into: "hidden",
    },
    keyOf(
      "mode",
      "mode",
      orNull({ type: "choice", of: [...agentModes] }),
      "Where it is started: `headless`, which is here. `self`: the run that calls it takes it on. In a `terminal`, or `embedded` in another program, it is not to be had: such an agent does not start. The workflow that it begins with may say otherwise.",
    ),
    keptHere("terminal", text, "The terminal that Gobby opens for it."),
    keptHere("provider", anyText, "The command line tool that Gobby runs it in."),
    fallbackAgent(),
    keptHere("api_base", text, "Where Gobby finds its model."),
    apiToken(),
    keptHere("reasoning_required", flag, "Whether its model must be able to think."),
    keptHere("base_branch", text, "The branch that its worktree or clone starts from."),
    keptHere("branch_prefix", text, "How the names of its branches begin."),
    keptHere("sandbox", map, "What Gobby's sandbox allows it."),
    keptHere("skill_profile", map, "Which skills Gobby tells it about."),
    keptHere("surfaces", words, "Where it can be used: `spawn`, `persona`."),
    keptHere("sources", words, "The programs it is meant for."),
    keptHere("priority", { type: "number" }, "Its place among others."),
    keptHere("version", any, "The version of the file."),
    outputIn("gobby", "Gobby"),
  ] as readonly Field<never>[],
  finish(draft, values, reading) {
    for (const part of gobbyParts) readPart(part, "gobby", draft, values)
    if (values.enabled === false) draft.hidden = true
    reportUnheard(values, reading)
    reportSteps(values, reading)
  },
  amend(values, agent) {
    for (const part of gobbyParts) writePart(part, "gobby", agent, values)
    // A file without instructions has its description for them.
    if (agent.instructions === textOf(agent.description) && !agent.extensions?.gobby?.prompts)
      delete values.prompts
  },
}

/** Gobby takes null for whatever may be left out. */
function orNull(type: ValueType): ValueType {
  return { type: "either", of: [type, { type: "null" }] }
}

function optional(field: Field): Field {
  return {
    ...field,
    type: orNull(field.type),
    read: (draft, value, reading) => {
      if (value !== null) field.read(draft, value, reading)
    },
  }
}

/** Gobby names one; null, which says that there is none, is kept. */
function fallbackAgent(): Field {
  const field = kept(
    "gobby",
    "fallback_agent",
    orNull(text),
    "The agent that gets the task when this one has failed.",
  )
  return {
    ...field,
    into: "fallback",
    read: (draft, value, reading) => {
      if (typeof value === "string") draft.fallback = [value]
      else field.read(draft, value, reading)
    },
    write: (agent, writing) => agent.fallback?.[0] ?? field.write(agent, writing),
  }
}

/** A key that only Gobby acts on. */
function keptHere(key: keyof typeof gobbyEffects, type: ValueType, doc: string): Field {
  return kept("gobby", key, orNull(type), doc, gobbyEffects[key])
}

function allowedTools(): Field<string | string[]> {
  return {
    ...tools("Tools it may use; `all` is every tool that the tree may use.", "gobby"),
    key: "allowed_tools",
    type: { type: "either", of: [{ type: "choice", of: ["all"] }, words] },
    read: (draft, value) => {
      if (Array.isArray(value)) draft.tools = { mode: "list", allow: value, deny: [] }
    },
  }
}

function limitOrNone(
  key: string,
  into: "timeout" | "maxTurns",
  otherwise: string,
  doc: string,
  unit = 1,
): Field<number> {
  const atLeastNone = { type: "number", minimum: 0 } as const
  const field = limit(key, into, unit === 1 ? { ...atLeastNone, whole: "whole" } : atLeastNone, doc, unit)
  return ofOwnRun({
    ...field,
    otherwise,
    read: (draft, value, reading) => {
      if (value > 0) return field.read(draft, value, reading)
      const { [into]: _, ...rest } = draft.limits ?? {}
      draft.limits = rest
      reading.report({
        code: "limit-none",
        severity: "info",
        message: `\`${key}: 0\` is no limit of this agent's own: what is left of its caller's, or the configured one, holds.`,
        at: { type: "value", path: [key] },
      })
    },
    write: (agent, writing) => field.write(agent, writing) ?? 0,
  })
}

/** A token that stands in the file itself would go into the log with the agent. */
function apiToken(): Field {
  const field = keptHere(
    "api_token",
    text,
    "The variable of the environment with what Gobby shows the server of its model.",
  )
  return {
    ...field,
    read: (draft, value, reading) => {
      if (value === null || /^\$\{\w+\}$/.test(value as string)) return field.read(draft, value, reading)
      reading.report({
        code: "secret-written-out",
        severity: "warning",
        message:
          "`api_token` is written out, where everybody who reads this file can see it. It is not kept with the agent, so that it reaches no log. Put it in a variable of the environment and refer to that.",
        at: { type: "value", path: ["api_token"] },
      })
    },
  }
}

/** What the file says and nothing here does, or does in another way. */
function reportUnheard({ prompts, ...values }: Values, { report }: FieldReading): void {
  if (values.enabled === false)
    report({
      code: "agent-disabled",
      severity: "info",
      message:
        "Gobby does not offer this agent. Here it is hidden: it is offered to nobody, and can be named.",
      at: { type: "value", path: ["enabled"] },
    })
  const { agent } = (prompts ?? {}) as Values
  for (const key of ["role", "goal", "personality", "instructions"])
    if (typeof agent === "string" && typeof values[key] === "string")
      report({
        code: "key-superseded",
        severity: "warning",
        message: `\`${key}\` has no effect beside \`prompts.agent\`, which is the whole prompt. Move it there.`,
        at: { type: "key", path: [key] },
      })
}
